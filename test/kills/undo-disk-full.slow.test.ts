import { test } from 'vitest'
import { killCount } from './store-kills.ts'
import { COMMANDS, fillDuring, FULL } from './undo-disk-full.ts'

const rounds = killCount(2)

test.for(FULL)(
  'if the %s disk runs out of %s during an undo, each file is unchanged or finished, the message is true, and the next try succeeds',
  { timeout: 60_000 * rounds },
  async (full, { skip }) => fillDuring(COMMANDS[0], full, rounds, skip),
)

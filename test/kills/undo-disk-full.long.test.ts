import { test } from 'vitest'
import { killCount } from './store-kills.ts'
import { COMMANDS, fillDuring, FULL } from './undo-disk-full.ts'

const rounds = killCount(20)

test.for(COMMANDS.flatMap((command) => FULL.map((full) => [command[0], ...full, command, full] as const)))(
  'during %s, if the %s disk runs out of %s: each file is unchanged or finished, the message is true, and the next try succeeds',
  { timeout: 60_000 * rounds },
  async ([, , , command, full], { skip }) => fillDuring(command, full, rounds, skip),
)

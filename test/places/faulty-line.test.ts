import { existsSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { faults } from './support/faults.ts'
import { buildGuest } from './support/ssh-server.ts'
import { runWholeSession } from './support/whole-session.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

beforeAll(buildGuest, 120_000)

test.skipIf(!existsSync('/bin/sh'))(
  'over a line that is split and cut, a whole session edits and runs there once, and is undone',
  async () => {
    const { connection, cuts } = faults(3)
    expect(await runWholeSession(temporaryFolder('faulty'), connection)).toMatchObject({
      files: { 'a.txt': 'hello there\n', 'runs.txt': 'run\n' },
      undone: { 'a.txt': 'hello\n' },
    })
    expect(cuts()).toBeGreaterThan(0)
  },
  300_000,
)

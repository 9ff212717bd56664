import { existsSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { faults } from './support/faults.ts'
import { buildGuest } from './support/ssh-server.ts'
import { runWholeSession, type WholeSession } from './support/whole-session.ts'
import type { Connected, Connection } from './support/wire.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

beforeAll(buildGuest, 120_000)

test.skipIf(!existsSync('/bin/sh'))(
  'over a line that splits, delays, stalls and is cut, a whole session ends as without faults, and nothing runs twice',
  async () => {
    const run = async (connection: (connected: Connected) => Connection): Promise<WholeSession> =>
      runWholeSession(temporaryFolder('faulty'), connection)
    const expected = await run(() => ({}))
    expect(expected.files).toEqual({ 'a.txt': 'hello there\n', 'runs.txt': 'run\n' })
    expect(expected.undone).toEqual({ 'a.txt': 'hello\n' })
    const first = Number(process.env['COUNTERSIGN_SEED'] ?? Math.floor(Math.random() * 1e6))
    for (let seed = first; seed < first + 10; seed++) {
      const { connection, cuts } = faults(seed)
      expect(await run(connection), `COUNTERSIGN_SEED=${seed}`).toEqual(expected)
      expect(cuts(), `COUNTERSIGN_SEED=${seed}`).toBeGreaterThan(0)
    }
  },
  600_000,
)

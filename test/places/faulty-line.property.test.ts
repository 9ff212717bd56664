import { existsSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { randomRuns } from '../random-runs.ts'
import { buildGuest } from './support/ssh-server.ts'
import { runWholeSession, type WholeSession } from './support/whole-session.ts'
import type { Connected, Connection } from './support/wire.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A seed gives the same faults each time: xorshift, from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Splits everything, delays each piece, stalls now and then, and cuts a connection after a random number of bytes. */
function faults(seed: number): { readonly connection: (connected: Connected) => Connection; readonly cuts: () => number } {
  const random = randomFrom(seed)
  const delayMs = [0, 25, 100][seed % 3] ?? 0
  let cuts = 0
  return {
    cuts: () => cuts,
    connection({ isFirst, cut }) {
      let isReady = !isFirst
      // A few connections last, so that the session ends.
      let left = cuts < 6 ? 500 + random() * 40_000 : Infinity
      return {
        onMessage({ message: { kind } }) {
          if (kind === 'ready') isReady = true
        },
        split(chunk) {
          const pieces: Buffer[] = []
          for (let from = 0; from < chunk.length;) {
            const length = 1 + Math.floor(random() ** 4 * 3_000)
            pieces.push(chunk.subarray(from, from + length))
            from += length
          }
          return pieces
        },
        delayMs: () => (random() < 0.002 ? 400 : delayMs * random()),
        onPassed(bytes) {
          if (isReady) left -= bytes
          if (left > 0) return
          left = Infinity
          cuts += 1
          cut()
        },
      }
    },
  }
}

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
    for (let seed = first; seed < first + randomRuns(10); seed++) {
      const { connection, cuts } = faults(seed)
      expect(await run(connection), `COUNTERSIGN_SEED=${seed}`).toEqual(expected)
      expect(cuts(), `COUNTERSIGN_SEED=${seed}`).toBeGreaterThan(0)
    }
  },
  600_000,
)

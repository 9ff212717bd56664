import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTimeLimit } from '../../main/environment/process/time-limit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/**
 * Runs a time limit that is held (`true`) or released (`false`) at these times in ms. Returns the time in ms at which the limit was
 * reached. Null if it was not reached within an hour.
 */
async function upAt(timeoutMs: number, holds: readonly (readonly [number, boolean])[]): Promise<number | null> {
  const limit = createTimeLimit(timeoutMs)
  const begin = performance.now()
  let up: number | null = null
  void limit.over.then(() => (up = performance.now() - begin))
  for (const [at, waits] of holds) {
    await vi.advanceTimersByTimeAsync(at - (performance.now() - begin))
    limit.hold(waits)
  }
  await vi.advanceTimersByTimeAsync(3_600_000)
  limit.stop()
  return up
}

it.each([
  ['the command never waits for input', 1_000, [], 1_000],
  [
    'the command waits once',
    1_000,
    [
      [400, true],
      [5_400, false],
    ],
    6_000,
  ],
  [
    'the command waits repeatedly',
    1_000,
    [
      [100, true],
      [200, false],
      [300, true],
      [1_300, false],
    ],
    2_100,
  ],
  ['the user types nothing for two minutes', 1_000, [[400, true]], 120_000 + 1_000],
  [
    'the waits are two minutes in total',
    1_000,
    [
      [0, true],
      [60_000, false],
      [60_500, true],
    ],
    121_000,
  ],
  [
    'the limit is longer than a timer can wait',
    2 ** 31,
    [
      [0, true],
      [60_000, false],
    ],
    null,
  ],
] as const)('D-46: the clock is paused while the user must type: %s', async (_, timeoutMs, holds, expected) => {
  expect(await upAt(timeoutMs, holds)).toBe(expected)
})

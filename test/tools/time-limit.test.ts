import { expect, it } from 'vitest'
import { commandTimeLimit } from '../../main/tools/time-limit.ts'

it.each([
  ['nothing is said: P2-44', {}, 10_000],
  ['the profile says something', { profile: 120_000 }, 120_000],
  ['the user set it for the session', { session: 30_000, profile: 120_000 }, 30_000],
  ['the call names it', { call: 5_000, session: 30_000, profile: 120_000 }, 5_000],
  ['the call names too much: D-08', { call: 10_000_000 }, 600_000],
  ['the profile says too much', { profile: 10_000_000 }, 600_000],
  ['another cap', { call: 5_000, cap: 1_000 }, 1_000],
  ['nonsense falls through', { call: Number.NaN, session: -1, profile: 7 }, 7],
  ['never less than a millisecond', { call: 0.2 }, 1],
])('D-46, T-05: %s', (_, limits, ms) => {
  expect(commandTimeLimit(limits)).toBe(ms)
})

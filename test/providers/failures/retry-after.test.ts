import { expect, test } from 'vitest'
import { retryAfterMs } from '../../../main/providers/failures/retry-after.ts'

const NOW = Date.parse('Sat, 21 Nov 2026 12:00:00 GMT')
const wait = (after: string): number | null =>
  retryAfterMs({ header: (name) => (name === 'retry-after' ? after : null), body: '', nowMs: NOW })

test.each([
  ['30', 30_000],
  ['1.5', 1_500],
  ['0', 0],
  ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
])('Retry-After: %s means to wait %i ms (L-24)', (after, ms) => {
  expect(wait(after)).toBe(ms)
})

test.each(['-5', '-0.5', '', 'soon', '1e3', '12-11'])('Retry-After: “%s” is ignored', (after) => {
  expect(wait(after)).toBe(null)
})

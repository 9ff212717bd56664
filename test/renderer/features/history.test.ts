import { expect, test } from 'vitest'
import { barsOf } from '../../../renderer/features/history/day-bars.tsx'

test('each day from the first to the last hit has a bar', () => {
  expect(barsOf({ '2026-03-30': 2, '2026-03-27': 1 })).toEqual([
    { from: '2026-03-27', to: '2026-03-27', count: 1 },
    { from: '2026-03-28', to: '2026-03-28', count: 0 },
    { from: '2026-03-29', to: '2026-03-29', count: 0 },
    { from: '2026-03-30', to: '2026-03-30', count: 2 },
  ])
})

test('many days share at most 36 bars, which count every hit once', () => {
  const bars = barsOf({ '2026-01-01': 1, '2026-06-30': 2, '2026-12-31': 4 })
  expect(bars.length).toBeLessThanOrEqual(36)
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(7)
  expect([bars[0]?.from, bars.at(-1)?.count]).toEqual(['2026-01-01', 4])
})

test('no hits have no bars', () => {
  expect(barsOf({})).toEqual([])
})

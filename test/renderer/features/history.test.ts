import { expect, test } from 'vitest'
import { barsOf } from '../../../renderer/features/history/day-bars.tsx'
import { rowsOf, sessionBeside } from '../../../renderer/features/history/history-hits.tsx'
import type { HistoryHit } from '../../../shared/api/history.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'

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

test('without hits there are no bars', () => {
  expect(barsOf({})).toEqual([])
})

const hit = (sessionId: string, seq: number): HistoryHit => ({
  seq,
  sessionId: sessionId as SessionId,
  at: seq,
  item: null,
  step: 0,
  foundIn: 'you',
  parts: [],
  path: null,
})
const FOUND = { hits: [hit('a', 9), hit('a', 7), hit('b', 8)], bySession: { a: 5, b: 1 } }
const told = (rows: ReturnType<typeof rowsOf>): readonly string[] =>
  rows.map((row) => (row.kind === 'hit' ? `${row.sessionId} ${row.hit.seq}` : `${row.sessionId} and ${row.count} more`))

test('hits are grouped by session, with a row for the number of hits not listed yet', () => {
  expect(told(rowsOf(FOUND, new Map()))).toEqual(['a 9', 'a 7', 'a and 3 more', 'b 8'])
  const whole = [9, 7, 5, 3, 1].map((seq) => hit('a', seq))
  expect(told(rowsOf(FOUND, new Map([['a' as SessionId, whole]])))).toEqual(['a 9', 'a 7', 'a 5', 'a 3', 'a 1', 'b 8'])
})

test('the right and left arrow keys go to the first hit of the next and previous session', () => {
  const rows = rowsOf(FOUND, new Map())
  expect([0, 1, 2, 3].map((at) => sessionBeside(rows, at, 1))).toEqual([3, 3, 3, null])
  expect([0, 2, 3].map((at) => sessionBeside(rows, at, -1))).toEqual([null, null, 0])
})

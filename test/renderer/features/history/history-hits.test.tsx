import { act, Profiler } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type FoundRow, HistoryHits, REST_AFTER_MS } from '../../../../renderer/features/history/history-hits.tsx'
import { NO_FILTERS, type SearchedFor } from '../../../../renderer/features/history/use-history-search.ts'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import type { HistoryHit } from '../../../../shared/api/history.ts'
import { SessionId } from '../../../../shared/lib/ids.ts'
import { openPage } from '../../support/open-page.tsx'

const sessionId = SessionId.parse('01979f3e-6b2a-7c3d-8e4f-5a6b7c8d9e0f')
const rowOf = (seq: number): FoundRow => {
  const hit = { seq, sessionId, at: 0, item: null, step: 1, foundIn: 'answer', path: null, parts: ['', 'word', ''] }
  return { kind: 'hit', sessionId, hit: hit as HistoryHit }
}
const search = (words: string, touched = ''): SearchedFor => ({ ...NO_FILTERS, words, touched })
const rows = Array.from({ length: 200 }, (_, seq) => rowOf(seq))

/** Opens a list. `shown` is the number of rows after each rendering. `scrolledTo` contains the rows that were scrolled into view. */
function openList() {
  const { show } = openPage()
  const scrolledTo: string[] = []
  // A page without layout cannot scroll.
  document.getElementById = (row) => ({ scrollIntoView: () => void scrolledTo.push(row) }) as unknown as HTMLElement
  const shown: number[] = []
  const rest = { id: 'list', sessions: new Map(), onActive: () => {}, onChoose: () => {}, onKeyDown: () => {} }
  const list = (answered: SearchedFor, active: number, listed: readonly FoundRow[]) =>
    show(
      <DeskContext value={{} as Desk}>
        <Profiler id="hits" onRender={() => shown.push(document.querySelectorAll('[role=option]').length)}>
          <HistoryHits {...rest} answered={answered} active={active} rows={listed} />
        </Profiler>
      </DeskContext>,
    )
  return { shown, scrolledTo, list }
}

test.each([
  ['words', search('words')],
  ['filters', search('word', 'src/')],
])('the first hits of other %s are shown before the rest of a long list', async (_, next) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { shown, list } = openList()
  await list(search('word'), 0, [])
  await list(next, 0, rows)
  expect(shown).toEqual([0, 30])
  await act(async () => void (await vi.advanceTimersByTimeAsync(REST_AFTER_MS)))
  expect(shown).toEqual([0, 30, 200])
})

test('while words are typed fast, only the first hits are rendered', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { shown, list } = openList()
  await list(search('wor'), 0, [])
  for (const words of ['word', 'words', 'words o']) {
    await list(search(words), 0, rows)
    await act(async () => void (await vi.advanceTimersByTimeAsync(REST_AFTER_MS - 1)))
  }
  expect(shown).toEqual([0, 30, 30, 30])
})

test('a list whose search has not changed, or in which the user has moved down, never becomes shorter', async () => {
  const { shown, list } = openList()
  const first = search('word')
  await list(first, 100, rows)
  await list(first, 0, rows.toReversed())
  await list(search('words'), 100, rows)
  expect(new Set(shown)).toEqual(new Set([200]))
})

test('screen readers get the number of all hits before the rest of a long list is shown', async () => {
  const { list } = openList()
  await list(search('wor'), 0, [])
  await list(search('word'), 0, rows)
  const last = document.querySelector('[role=option]:last-child')
  expect([last?.getAttribute('aria-posinset'), last?.getAttribute('aria-setsize')]).toEqual(['30', '200'])
})

test('the first hit of other words is scrolled into view, and a new answer to the same words does not scroll', async () => {
  const { scrolledTo, list } = openList()
  const few = rows.slice(0, 3)
  const first = search('word')
  await list(first, 0, few)
  await list(first, 0, few.toReversed())
  await list(search('words'), 0, few)
  expect(scrolledTo).toEqual(['list-0', 'list-0'])
})

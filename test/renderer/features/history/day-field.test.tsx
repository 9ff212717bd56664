import { expect, test } from 'vitest'
import { HistoryFilterLists, isDay } from '../../../../renderer/features/history/history-filters.tsx'
import { NO_FILTERS } from '../../../../renderer/features/history/use-history-search.ts'
import { openPage } from '../../support/open-page.tsx'

test.each([
  ['2026-11-22', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-1-2', false],
  ['22.11.2026', false],
  ['11/22/2026', false],
  ['', false],
])('%s is a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected)
})

test('the days of the history filter are text in the form year-month-day, whatever the language of the browser is', async () => {
  const { page, show } = openPage()
  const filters = { ...NO_FILTERS, from: '2026-11-22' }
  await show(<HistoryFilterLists isOpen filters={filters} answer={null} ofSessions={false} onChange={() => {}} />)
  expect(page.querySelectorAll('input[type=date]')).toHaveLength(0)
  expect([...page.querySelectorAll('input')].map(({ value }) => value)).toContain('2026-11-22')
})

import { expect, test } from 'vitest'
import { HistoryFilterLists } from '../../../../renderer/features/history/history-filters.tsx'
import { emptyWords } from '../../../../renderer/features/history/search-field.tsx'
import { NO_FILTERS } from '../../../../renderer/features/history/use-history-search.ts'
import { openPage } from '../../support/open-page.tsx'

test.each([
  ['a search that is not answered yet', { words: 'invoice', isListed: false, isSearching: true }, /^Searching …$/],
  ['an answer without hits', { words: 'invoice', isListed: false, isSearching: false }, /^Nothing was found\./],
  ['a changed path without words', { words: '', isListed: false, isSearching: false }, /^Nothing was found\./],
  ['a changed path that is not answered yet', { words: '', isListed: false, isSearching: true }, /^Searching …$/],
  ['words that are too short to search for', { words: 'i', isListed: false, isSearching: true }, /^Type at least/],
  ['no words', { words: ' ', isListed: true, isSearching: true }, /^Finds messages/],
] as const)('in place of results, %s is described', (_name, given, shown) => {
  expect(emptyWords(given)).toMatch(shown)
})

test('a filter has no number before an answer has counted', async () => {
  const { page, show } = openPage()
  await show(<HistoryFilterLists isOpen filters={NO_FILTERS} answer={null} ofSessions={false} onChange={() => {}} />)
  const buttons = [...page.querySelectorAll('button[aria-pressed]')].map(({ textContent }) => textContent)
  expect(buttons).toContain('Failed')
  expect(buttons.filter((text) => /\d/u.test(text ?? ''))).toEqual([])
})

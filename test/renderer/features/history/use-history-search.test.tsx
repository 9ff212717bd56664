import { act, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { createStore } from 'zustand'
import { type HistorySearching, NO_FILTERS, useHistorySearch } from '../../../../renderer/features/history/use-history-search.ts'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import type { HistoryHit } from '../../../../shared/api/history.ts'
import { SessionId } from '../../../../shared/lib/ids.ts'
import { openPage } from '../../support/open-page.tsx'

const SESSION = SessionId.parse('01979f3e-6b2a-7c3d-8e4f-5a6b7c8d9e0f')

interface Asked {
  readonly words: string
  readonly sessionId?: SessionId
}

interface Reply {
  readonly ok: true
  readonly answer: { readonly hits: readonly Pick<HistoryHit, 'parts'>[]; readonly behind: number; readonly total: number }
}

/** A history page whose searches the test answers. */
function openHistory() {
  const { show } = openPage()
  const open = new Map<string, (reply: Reply) => void>()
  const search = ({ words, sessionId }: Asked): Promise<Reply> =>
    new Promise((resolve) => void open.set(sessionId === undefined ? words : `all of ${words}`, resolve))
  const client = { history: { search } }
  const connection = { state: createStore(() => ({ kind: 'open' })), client, firstClient: async () => client }
  const desk = { connection } as unknown as Desk
  let last: HistorySearching | undefined
  function Reader({ words }: { readonly words: string }): ReactNode {
    last = useHistorySearch(words, NO_FILTERS)
    return null
  }
  return {
    type: (words: string) =>
      show(
        <DeskContext value={desk}>
          <Reader words={words} />
        </DeskContext>,
      ),
    showAll: () => act(async () => last?.showAll(SESSION)),
    answer: (what: string, { behind, total } = { behind: 0, total: 1 }) =>
      act(async () => open.get(what)?.({ ok: true, answer: { hits: [{ parts: [what] }], behind, total } })),
    isSearching: () => last?.isSearching,
    isCounted: () => last?.counted !== null,
    whole: () => last?.whole.get(SESSION)?.map(({ parts }) => parts[0]),
  }
}

test('all hits of a session are shown until the search changes, and a late answer to an earlier search changes nothing', async () => {
  const page = openHistory()
  await page.type('in')
  await page.answer('in')
  await page.showAll()
  await page.type('invoice')
  await page.answer('invoice')
  await page.showAll()
  await page.answer('all of invoice')
  expect(page.whole()).toEqual(['all of invoice'])
  await page.answer('all of in')
  expect(page.whole()).toEqual(['all of invoice'])
  await page.type('invoices')
  expect(page.whole()).toBeUndefined()
})

test('a search lasts until the answer to the newest words is there and every event has been read', async () => {
  const page = openHistory()
  await page.type('')
  await page.answer('')
  expect(page.isSearching()).toBe(false)
  await page.type('invoice')
  expect(page.isSearching()).toBe(true)
  await page.answer('invoice', { behind: 12, total: 0 })
  expect(page.isSearching()).toBe(true)
  expect(page.isCounted()).toBe(false)
  await page.type('invoices')
  await page.answer('invoices', { behind: 0, total: 0 })
  expect(page.isSearching()).toBe(false)
  expect(page.isCounted()).toBe(true)
})

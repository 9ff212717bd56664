import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { createStore } from 'zustand'
import { LedgerSession } from '../../../../../renderer/features/ledger/ledger-session.ts'
import { Answer } from '../../../../../renderer/features/ledger/markdown/answer.tsx'
import type { Desk } from '../../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../../renderer/state/desk-context.ts'
import { SESSION } from '../../../../agent/support/events.ts'
import { openPage } from '../../../support/open-page.tsx'

beforeEach(() => {
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run())
  vi.stubGlobal('cancelIdleCallback', () => {})
})

test('until it is known which files exist, a link to a file is plain text, and a link to a website can be pressed', async () => {
  const { show, page } = openPage()
  const found = Promise.withResolvers<{ readonly paths: readonly string[] }>()
  const desk = {
    app: createStore(() => ({ hello: { shell: 'browser' } })),
    connection: { client: { app: { existingFiles: () => found.promise } } },
  }
  const answer = (live: boolean) => (
    <DeskContext value={desk as unknown as Desk}>
      <LedgerSession value={SESSION}>
        <Answer text="See [the readme](README.md#L1), [a note](gone.md) and [the site](https://example.com)." live={live} />
      </LedgerSession>
    </DeskContext>
  )
  const links = () => [...page.querySelectorAll('button')].map((link) => [link.textContent, link.getAttribute('data-tip')])
  await show(answer(true))
  expect(links()).toEqual([['the site', 'https://example.com']])
  await show(answer(false))
  expect(links()).toEqual([['the site', 'https://example.com']])
  expect(page.textContent).toBe('See the readme, a note and the site.')
  await act(async () => found.resolve({ paths: ['README.md'] }))
  expect(links()).toEqual([
    ['the readme', 'Show the file'],
    ['a note', 'gone.md'],
    ['the site', 'https://example.com'],
  ])
})

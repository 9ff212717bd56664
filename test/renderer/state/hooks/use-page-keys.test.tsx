import { act, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { createStore } from 'zustand'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import { usePageKeys } from '../../../../renderer/state/hooks/use-desk-keys.ts'
import { openPage } from '../../support/open-page.tsx'

test.each([
  ['the page itself', 'main', 1],
  ['a button', '#other', 0],
  ['a link', 'a', 0],
  ['a text field', 'input', 0],
  ['the button of what is already shown', '[aria-current]', 1],
])('Space with the focus on %s runs the action of the page or the control, never both', async (_, selector, runs) => {
  const { window, page, show } = openPage()
  vi.stubGlobal('HTMLElement', window.HTMLElement)
  let count = 0
  function Page(): ReactNode {
    usePageKeys([{ keys: ' ', run: () => void count++ }])
    return (
      <main>
        <button type="button" id="other" />
        <button type="button" aria-current />
        <a href="/">Elsewhere</a>
        <input />
      </main>
    )
  }
  const desk = { view: createStore(() => ({ overlay: null })) }
  await show(
    <DeskContext value={desk as unknown as Desk}>
      <Page />
    </DeskContext>,
  )
  const event = new window.Event('keydown', { bubbles: true, cancelable: true })
  Object.assign(event, { key: ' ', code: 'Space' })
  await act(async () => void page.querySelector(selector)?.dispatchEvent(event))
  expect([count, event.defaultPrevented]).toEqual([runs, runs === 1])
})

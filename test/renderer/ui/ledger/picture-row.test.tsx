import { act, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { PictureRow } from '../../../../renderer/ui/ledger/picture-row.tsx'
import { openPage } from '../../support/open-page.tsx'

const row = (url: string | undefined): ReactNode => (
  <PictureRow label="Pictures" pictures={[{ id: 'one', facts: 'PNG, 292 B', url }]} onOpen={() => {}} />
)

test('a picture keeps its button while it loads, because the button may have the focus', async () => {
  const { page, show } = openPage()
  await show(row(undefined))
  const button = page.querySelector('button')
  expect([button?.getAttribute('aria-label'), page.querySelector('img')]).toEqual(['Picture 1 of 1, PNG, 292 B: enlarge', null])
  await show(row('data:image/png;base64,AA=='))
  expect(page.querySelector('img')?.getAttribute('src')).toBe('data:image/png;base64,AA==')
  expect(page.querySelector('button')).toBe(button)
})

test('a picture that cannot be drawn is replaced with words, until it has another URL', async () => {
  const { page, show, window } = openPage()
  await show(row('data:image/png;base64,AA=='))
  await act(async () => page.querySelector('img')?.dispatchEvent(new window.Event('error')))
  expect([page.textContent, page.querySelector('button')]).toEqual(['Picture 1 cannot be drawn (PNG, 292 B)', null])
  await show(row('data:image/png;base64,BB=='))
  expect([page.textContent, page.querySelector('img')?.getAttribute('src')]).toEqual(['', 'data:image/png;base64,BB=='])
})

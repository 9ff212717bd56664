import { act } from 'react'
import { expect, test } from 'vitest'
import { EntryRow } from '../../../../renderer/ui/ledger/entry-row.tsx'
import { openPage } from '../../support/open-page.tsx'

test('a row that replaces another one under the resting pointer shows its actions', async () => {
  const { page, window, show } = openPage()
  await show(
    <ul>
      <EntryRow mark="read" line="Read a.txt" lazyActions actions={<button type="button">Undo</button>} />
    </ul>,
  )
  const row = page.querySelector('li')
  expect(row?.textContent).not.toContain('Undo')
  // The pointer comes from the list, because the row where it was is gone.
  const over = Object.assign(new window.Event('pointerover', { bubbles: true }), { relatedTarget: page.querySelector('ul') })
  await act(async () => void row?.dispatchEvent(over))
  expect(row?.textContent).toContain('Undo')
})

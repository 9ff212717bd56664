import { act } from 'react'
import { expect, test } from 'vitest'
import { NameField } from '../../../../renderer/ui/controls/name-field.tsx'
import { isComposing } from '../../../../renderer/ui/is-composing.ts'
import { openPage } from '../../support/open-page.tsx'

/** How browsers report the Enter or Escape that an input method handles, and an ordinary one. */
const PRESSES = [
  { browser: 'Chromium, while a word is composed', isComposing: true, keyCode: 229, belongsToInputMethod: true },
  { browser: 'Safari, just after the word was chosen', isComposing: false, keyCode: 229, belongsToInputMethod: true },
  { browser: 'every browser, without an input method', isComposing: false, keyCode: 13, belongsToInputMethod: false },
] as const

test.each(PRESSES)('a key press is recognized in $browser', ({ belongsToInputMethod, ...press }) => {
  expect(isComposing(press)).toBe(belongsToInputMethod)
})

const CASES = ['Enter', 'Escape'].flatMap((key) => PRESSES.map((press) => ({ ...press, key })))

test.each(CASES)(
  '$key ends the editing of a name only if no input method handles it: $browser',
  async ({ key, belongsToInputMethod, ...press }) => {
    const { window, page, show } = openPage()
    let count = 0
    await show(<NameField label="Name" name="a" whileEmpty="" onDone={() => count++} />)
    const event = new window.Event('keydown', { bubbles: true, cancelable: true })
    Object.assign(event, { key, isComposing: press.isComposing, keyCode: press.keyCode })
    await act(async () => page.querySelector('input')?.dispatchEvent(event))
    expect(count).toBe(belongsToInputMethod ? 0 : 1)
  },
)

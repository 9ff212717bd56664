import type { Locator } from 'playwright/test'
import { say } from '../../support/scripted-model.ts'
import { expect, test } from '../support/desk-test.ts'
import { composer, ledger } from '../support/on-the-desk.ts'

/** Presses the Enter that chooses a word of an input method, as Safari reports it: after the composition has ended. */
const chooseWord = (field: Locator): Promise<void> =>
  field.evaluate((element) => {
    // oxlint-disable-next-line typescript/no-deprecated -- it is what the page must read
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }))
  })

test('the Enter that chooses a word of an input method does not send the message', async ({ page, opened }) => {
  await opened([say('First answer.'), say('Second answer.')], 'First request')
  await expect(ledger(page)).toContainText('First answer.')
  await composer(page).fill('にほん')
  await chooseWord(composer(page))
  await expect(composer(page)).toHaveValue('にほん')
  await composer(page).press('Enter')
  await expect(ledger(page)).toContainText('Second answer.')
  await expect(ledger(page).getByText('にほん')).toHaveCount(1)
})

import type { Page } from 'playwright/test'
import { say } from '../../support/scripted-model.ts'
import { expect, send, test } from '../support/desk-test.ts'
import { ledger } from '../support/on-the-desk.ts'

const INSTRUCTIONS = 'Answer in German.\nPrefer small commits.'

async function openSettings(page: Page): Promise<void> {
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
}

test('the text under "Your instructions" is saved when the field loses focus, and is at the end of the next session’s prompt (AC9.6)', async ({
  page,
  opened,
}) => {
  const { scripted } = await opened(() => say('Erledigt.'))
  await openSettings(page)
  const field = page.getByRole('textbox', { name: 'Your instructions' })
  await field.fill(INSTRUCTIONS)
  await page.keyboard.press('Tab')
  await page.reload()
  await openSettings(page)
  await expect(field).toHaveValue(INSTRUCTIONS)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const [width, height] of [
      [1440, 900],
      [700, 500],
    ] as const) {
      await page.setViewportSize({ width, height })
      await field.scrollIntoViewIfNeeded()
      await expect(field).toBeInViewport()
      if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/instructions-${colorScheme}-${width}.png` })
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await send(page, 'Say hello')
  await expect(ledger(page)).toContainText('Erledigt.')
  expect(JSON.stringify(scripted.requests.at(-1)?.body)).toContain(
    String.raw`# User instructions\n\nThese override everything above.\n\nAnswer in German.\nPrefer small commits.`,
  )
})

import type { Locator, Page } from 'playwright/test'
import { call, calls, say } from '../../support/scripted-model.ts'
import { expect, test } from '../support/desk-test.ts'
import { armed, ledger, sign } from '../support/on-the-desk.ts'

test.use({ sandbox: 'off' })

const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name: new RegExp(`^${name}`) })
const widthOf = async (page: Page): Promise<number | undefined> =>
  (await page.getByRole('complementary', { name: 'Inspector' }).boundingBox())?.width

test(
  'a command that starts changes neither the tab nor the width of the inspector; a dot on Terminal says so until it is shown',
  { tag: '@slow' },
  async ({ page, opened }) => {
    await opened([calls(call('shell', { command: '/bin/echo one' })), say('Ran.')], 'Run it')
    await armed(page).waitFor()
    const width = await widthOf(page)
    await expect(page.getByRole('tab').locator('[data-dot]')).toHaveCount(0)
    await sign(page)
    await expect(ledger(page).getByText('Ran.')).toBeVisible()
    await expect(tab(page, 'Changes')).toHaveAttribute('aria-selected', 'true')
    await expect(tab(page, 'Terminal').locator('[data-dot=unread]')).toBeVisible()
    await tab(page, 'Terminal').click()
    await expect(page.getByRole('tab').locator('[data-dot]')).toHaveCount(0)
    for (const name of ['Agents', 'Plan', 'Context', 'Terminal']) {
      await tab(page, name).click()
      expect(await widthOf(page), name).toBe(width)
    }
    await page.reload()
    await expect(ledger(page).getByText('Ran.')).toBeVisible()
    await expect(page.getByRole('tab').locator('[data-dot]')).toHaveCount(0)
  },
)

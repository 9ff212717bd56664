import type { Page } from 'playwright/test'
import { axeFindings } from '../support/axe-findings.ts'
import { REQUESTED_FILES, REQUESTS, type Visit, visitPages, visitPanes, visitRequests } from '../support/desk-states.ts'
import { expect, test } from '../support/desk-test.ts'
import { withTheme } from '../support/pictures.ts'
import { expectNoRunTogetherNames } from '../support/run-together.ts'

// The tests go through all states of the desk.
test.describe.configure({ timeout: 600_000 })

for (const [states, through] of [
  ['state of a request', (page, visit) => visitRequests(page, visit)],
  [
    'pane, page or dialog',
    async (page, visit) => {
      await visitRequests(page, async () => {})
      await visitPanes(page, visit)
      await visitPages(page, visit)
    },
  ],
] as const satisfies readonly (readonly [string, (page: Page, visit: Visit) => Promise<void>])[])
  test(`in no ${states} does axe find anything or do the words of an accessible name run together`, async ({ page, put, opened }) => {
    for (const [path, text] of Object.entries(REQUESTED_FILES)) await put(path, text)
    await opened(REQUESTS)
    await through(page, async (name) => {
      for (const theme of ['light', 'dark'] as const)
        await withTheme(page, theme, async () => expect.soft(await axeFindings(page), `${name}, ${theme}`).toEqual([]))
      await expectNoRunTogetherNames(page, name)
    })
  })

test('on the start page and in the trust question the words of an accessible name do not run together', async ({ page, desk, places }) => {
  const { address } = await desk()
  await page.goto(address)
  await page.getByRole('button', { name: /Start rehearsal/ }).waitFor()
  await expectNoRunTogetherNames(page, 'first run')
  await page.getByRole('button', { name: 'Open a folder' }).last().press('Enter')
  const path = page.getByRole('combobox', { name: 'Path of the folder' })
  await path.fill(places.project)
  await path.press('Enter')
  await expect(page.getByRole('button', { name: 'Trust and open' })).toBeVisible()
  await expectNoRunTogetherNames(page, 'trust')
})

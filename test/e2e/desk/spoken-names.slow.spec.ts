import { axeFindings } from '../support/axe-findings.ts'
import { REQUESTED_FILES, REQUESTS, visitPages, visitPanes, visitRequests } from '../support/desk-states.ts'
import { expect, test } from '../support/desk-test.ts'
import { expectNoRunTogetherNames } from '../support/run-together.ts'

// The test goes through all states of the desk.
test.describe.configure({ timeout: 300_000 })

test('in no state of the desk does axe find anything or do the words of an accessible name run together', async ({ page, put, opened }) => {
  for (const [path, text] of Object.entries(REQUESTED_FILES)) await put(path, text)
  await opened(REQUESTS)
  const visit = async (name: string): Promise<void> => {
    expect.soft(await axeFindings(page), name).toEqual([])
    await expectNoRunTogetherNames(page, name)
  }
  await visitRequests(page, visit)
  await visitPanes(page, visit)
  await visitPages(page, visit)
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

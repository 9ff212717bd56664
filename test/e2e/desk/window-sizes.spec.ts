import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveGallery } from '../../support/desk-harness/serve-page.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { REQUESTED_FILES, REQUESTS, visitPages, visitPanes, visitRequests } from '../support/desk-states.ts'
import { expect, test } from '../support/desk-test.ts'
import { fitsEverywhere } from '../support/misplaced.ts'
import { expectNoRunTogetherNames } from '../support/run-together.ts'

// Each test goes through many states in six sizes.
test.describe.configure({ timeout: 400_000 })

test(
  'U7: no control of a request is cut off and no word is broken from 700 to 1920 px and at 200 % zoom',
  { tag: '@slow' },
  async ({ page, put, opened }, info) => {
    for (const [path, text] of Object.entries(REQUESTED_FILES)) await put(path, text)
    await opened(REQUESTS)
    await visitRequests(page, (name) => fitsEverywhere(page, info, name))
  },
)

test(
  'U7: no control of a pane, a page or a dialog is cut off and no word is broken from 700 to 1920 px and at 200 % zoom',
  { tag: '@slow' },
  async ({ page, put, opened }, info) => {
    for (const [path, text] of Object.entries(REQUESTED_FILES)) await put(path, text)
    await opened(REQUESTS)
    await visitRequests(page, async () => {})
    await visitPanes(page, (name) => fitsEverywhere(page, info, name))
    await visitPages(page, (name) => fitsEverywhere(page, info, name))
  },
)

test(
  'U7: with large text in the dark everything fits too, axe finds nothing, and no words of an accessible name run together',
  { tag: '@slow' },
  async ({ page, put, places, opened }, info) => {
    await writeFile(join(places.data, 'settings.json'), JSON.stringify({ theme: 'dark', textSize: 'large' }))
    for (const [path, text] of Object.entries(REQUESTED_FILES)) await put(path, text)
    await opened(REQUESTS)
    await expect(page.locator('html')).toHaveAttribute('data-text', 'large')
    await visitRequests(page, async (name) => {
      await fitsEverywhere(page, info, `large, ${name}`)
      expect.soft(await axeFindings(page), name).toEqual([])
      await expectNoRunTogetherNames(page, name)
    })
  },
)

test('U7: the start page and the trust question fit into every window', { tag: '@slow' }, async ({ page, desk, places }, info) => {
  const { address } = await desk()
  await page.goto(address)
  await page.getByRole('button', { name: /Start rehearsal/ }).waitFor()
  await fitsEverywhere(page, info, 'first-run')
  await page.getByRole('button', { name: 'Open a folder' }).last().press('Enter')
  const path = page.getByRole('combobox', { name: 'Path of the folder' })
  await path.fill(places.project)
  await path.press('Enter')
  await expect(page.getByRole('button', { name: 'Trust and open' })).toBeVisible()
  await fitsEverywhere(page, info, 'trust')
})

test('U7: the page of all controls fits into every window', { tag: '@slow' }, async ({ page }, info) => {
  const gallery = await serveGallery()
  for (const [name, query] of [
    ['sheet', ''],
    ['controls', '?view=controls'],
    ['controls-large', '?view=controls&text=large'],
  ] as const) {
    await page.goto(`${gallery.address}/gallery.html${query}`)
    await page.evaluate(() => document.fonts.ready)
    await fitsEverywhere(page, info, name, name === 'sheet')
  }
  await gallery.close()
})

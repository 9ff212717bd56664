import { serveGallery } from '../../renderer/ui/gallery-server.ts'
import { REQUESTED_FILES, REQUESTS, visitPages, visitPanes, visitRequests } from '../support/desk-states.ts'
import { expect, test } from '../support/desk-test.ts'
import { fitsEverywhere } from '../support/misplaced.ts'

// Each test goes through many states in six sizes.
test.describe.configure({ timeout: 300_000 })

test('U7: no control of a request is cut off and no word is broken from 700 to 1920 px and at 200 % zoom', async ({
  page,
  put,
  opened,
}, info) => {
  for (const [path, text] of Object.entries(REQUESTED_FILES)) await put(path, text)
  await opened(REQUESTS)
  await visitRequests(page, (name) => fitsEverywhere(page, info, name))
})

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

test('U7: every state of the gallery fits into every window', { tag: '@slow' }, async ({ page }, info) => {
  const gallery = await serveGallery()
  for (const [name, query] of GALLERY) {
    await page.goto(`${gallery.address}/gallery.html${query}`)
    await page.evaluate(() => document.fonts.ready)
    await fitsEverywhere(page, info, name, name === 'gallery-sheet')
  }
  await gallery.close()
})

/** Each view of the gallery, by a name for its pictures. */
const GALLERY = [
  ['gallery-sheet', ''],
  ['gallery-controls', '?view=controls'],
  ['gallery-desk', '?view=desk'],
  ['gallery-desk-large', '?view=desk&text=large'],
  ['gallery-edit', '?view=desk&state=approve-edit'],
  ['gallery-edit-large', '?view=desk&state=approve-edit&text=large&theme=dark'],
] as const

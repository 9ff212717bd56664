import { expect } from 'playwright/test'
import { type GalleryServer, serveGallery } from '../../renderer/ui/gallery-server.ts'
import { openAllInEveryWay, withoutErrors } from '../support/floating-parts.ts'
import { test } from '../support/page-test.ts'

let gallery: GalleryServer

test.use({ actionTimeout: 20_000 })
test.beforeAll(async () => {
  gallery = await serveGallery()
})
test.afterAll(async () => {
  await gallery.close()
})

/** Each page of the gallery, and how many menus and lists it has at least. */
const PAGES = [
  { name: 'the sheet of all controls', query: '', least: 1 },
  { name: 'the live controls', query: '?view=controls', least: 1 },
  { name: 'the running desk', query: '?view=desk', least: 1 },
  { name: 'the desk with an edit to sign', query: '?view=desk&state=approve-edit', least: 1 },
  { name: 'the desk with large text in the dark', query: '?view=desk&state=approve-edit&theme=dark&text=large', least: 1 },
] as const

for (const { name, query, least } of PAGES)
  test(`each menu and list of ${name} in the gallery opens by mouse and by keyboard, and can be left in every way`, async ({ page }) => {
    test.setTimeout(300_000)
    await page.goto(`${gallery.address}/gallery.html${query}`)
    await page.evaluate(() => document.fonts.ready)
    await withoutErrors(page, async () => {
      expect(await openAllInEveryWay(page)).toBeGreaterThanOrEqual(least)
    })
  })

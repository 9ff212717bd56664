import { expect } from 'playwright/test'
import { type PageServer, serveGallery } from '../../support/desk-harness/serve-page.ts'
import { openAllInEveryWay, withoutErrors } from '../support/floating-parts.ts'
import { test } from '../support/page-test.ts'

let gallery: PageServer

test.use({ actionTimeout: 20_000 })
test.beforeAll(async () => {
  gallery = await serveGallery()
})
test.afterAll(async () => {
  await gallery.close()
})

for (const query of ['', '?view=controls', '?view=controls&theme=dark&text=large'])
  test(`each menu and list of gallery.html${query} opens by mouse and by keyboard, and can be left in every way`, async ({ page }) => {
    test.setTimeout(300_000)
    await page.goto(`${gallery.address}/gallery.html${query}`)
    await page.evaluate(() => document.fonts.ready)
    await withoutErrors(page, async () => {
      expect(await openAllInEveryWay(page)).toBeGreaterThan(0)
    })
  })

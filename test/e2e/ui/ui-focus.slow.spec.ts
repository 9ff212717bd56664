import { type Page, expect } from 'playwright/test'
import { type PageServer, serveSamples } from '../../support/desk-harness/serve-page.ts'
import { test } from '../support/page-test.ts'

let samples: PageServer

test.beforeAll(async () => {
  samples = await serveSamples()
})
test.afterAll(async () => {
  await samples.close()
})

/** Returns the distinct colors in a column of pixels at `x`, as `r,g,b`. */
async function coloursDown(page: Page, x: number, from: number, to: number): Promise<readonly string[]> {
  const picture = (await page.screenshot({ clip: { x, y: from, width: 1, height: to - from } })).toString('base64')
  return page.evaluate(async (data) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    context.drawImage(image, 0, 0)
    const { data: bytes } = context.getImageData(0, 0, image.width, image.height)
    const found = new Set<string>()
    for (let at = 0; at < bytes.length; at += 4) found.add(`${bytes[at]},${bytes[at + 1]},${bytes[at + 2]}`)
    return [...found]
  }, picture)
}

for (const theme of ['light', 'dark'])
  for (const [show, label] of [
    ['tray', 'Edit 2 files'],
    ['stacked', 'Difference'],
  ] as const)
    test(`the focus ring of a scrolling box is drawn above all its content, from edge to edge (${show}, ${theme})`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto(`${samples.address}/samples.html?show=${show}&theme=${theme}`)
      await page.locator('[data-line-type=change-addition]').first().waitFor()
      const scroll = page.getByLabel(label, { exact: true }).and(page.locator('[tabindex="0"]'))
      await page.keyboard.press('Tab')
      await scroll.focus()
      await expect(scroll).toBeFocused()
      const { x = 0, y = 0, width = 0, height = 0 } = (await scroll.boundingBox()) ?? {}
      const ink = theme === 'light' ? '27,68,174' : '142,179,246'
      expect(await coloursDown(page, x, y, y + height)).toEqual([ink])
      expect(await coloursDown(page, x + width - 1, y, y + height)).toEqual([ink])
    })

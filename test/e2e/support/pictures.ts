import { type Page, type TestInfo, expect } from 'playwright/test'
import { settled } from './settled.ts'

/** Whether every state that a test comes by is pictured: `COUNTERSIGN_PICTURES=all`. Else only the main ones are, which takes a minute less. */
export const EVERY_STATE = process.env['COUNTERSIGN_PICTURES'] === 'all'

/** Where pictures of every state are asked for, leaves one of the page in both themes beside the results of this test (DESIGN §11). */
export async function keepPictures(page: Page, info: TestInfo, name: string): Promise<void> {
  if (!EVERY_STATE) return
  for (const theme of ['light', 'dark'] as const)
    await withTheme(page, theme, async () => void (await page.screenshot({ path: info.outputPath(`${name}-${theme}.png`) })))
}

/** Does something while the page is in a theme and nothing in it moves; afterwards it is in its own again. */
export async function withTheme(page: Page, theme: 'light' | 'dark', work: () => Promise<void>): Promise<void> {
  const before = await page.evaluate(() => document.documentElement.dataset['theme'] ?? 'light')
  await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), theme)
  await settled(page)
  await work()
  await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), before)
}

/** Two pages are drawn alike to the last pixel, once each has drawn all of it: colours and terminals come a moment after their words. */
export async function expectSamePixels(one: Page, other: Page): Promise<void> {
  const picture = (page: Page): Promise<Buffer> => page.screenshot({ animations: 'disabled' })
  await expect.poll(async () => (await picture(one)).equals(await picture(other)), { message: 'both are drawn alike' }).toBe(true)
}

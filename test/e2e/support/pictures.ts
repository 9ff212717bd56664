import { type Page, type TestInfo, expect } from 'playwright/test'
import { settled } from './settled.ts'

/**
 * Whether each state that a test passes through gets a screenshot (`COUNTERSIGN_PICTURES=all`). Otherwise only the main states do, which
 * saves a minute.
 */
export const EVERY_STATE = process.env['COUNTERSIGN_PICTURES'] === 'all'

/** If screenshots of every state are requested, saves a screenshot of the page in each theme with the results of this test (DESIGN §11). */
export async function keepPictures(page: Page, info: TestInfo, name: string): Promise<void> {
  if (!EVERY_STATE) return
  for (const theme of ['light', 'dark'] as const)
    await withTheme(page, theme, async () => void (await page.screenshot({ path: info.outputPath(`${name}-${theme}.png`) })))
}

/** Runs `work` while the page has this theme and nothing in it moves. Then restores the page's own theme. */
export async function withTheme(page: Page, theme: 'light' | 'dark', work: () => Promise<void>): Promise<void> {
  const before = await page.evaluate(() => document.documentElement.dataset['theme'] ?? 'light')
  await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), theme)
  await settled(page)
  await work()
  await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), before)
}

/**
 * Waits until two pages look the same in every pixel. Colors and terminals are drawn a moment after the text, so the comparison is
 * repeated.
 */
export async function expectSamePixels(one: Page, other: Page): Promise<void> {
  const picture = (page: Page): Promise<Buffer> => page.screenshot({ animations: 'disabled' })
  await expect.poll(async () => (await picture(one)).equals(await picture(other)), { message: 'both are drawn alike' }).toBe(true)
}

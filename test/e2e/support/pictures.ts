import type { Page, TestInfo } from 'playwright/test'
import { settled } from './settled.ts'

/** Leaves a picture of the page in both themes beside the results of this test: screens are looked at (DESIGN §11). */
export async function keepPictures(page: Page, info: TestInfo, name: string): Promise<void> {
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

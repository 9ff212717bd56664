import type { Page, TestInfo } from 'playwright/test'

/** Leaves a picture of the page in both themes beside the results of this test: screens are looked at (DESIGN §11). */
export async function keepPictures(page: Page, info: TestInfo, name: string): Promise<void> {
  const before = await page.evaluate(() => document.documentElement.dataset['theme'] ?? 'light')
  for (const theme of ['light', 'dark']) {
    await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), theme)
    await page.evaluate(async () => {
      // colours change within 80 ms; what turns for ever is no reason to wait
      const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      await Promise.allSettled(ending.map((one) => one.finished))
    })
    await page.screenshot({ path: info.outputPath(`${name}-${theme}.png`) })
  }
  await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), before)
}

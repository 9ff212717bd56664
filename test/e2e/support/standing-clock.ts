import type { Page } from 'playwright/test'

/**
 * Runs `work` while the page's clock is stopped. However slow the machine is, no timer of the page fires, and all events have the same
 * time. Needs `page.clock.install()` before the page is opened.
 */
export async function inNoTime(page: Page, work: () => Promise<void>): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  await work()
  await page.clock.resume()
}

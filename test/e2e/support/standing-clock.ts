import type { Page } from 'playwright/test'

/**
 * Does something in no time at all, as the page reckons it: however slow the machine, no timer of the page fires meanwhile and all events
 * bear one time. Needs `page.clock.install()` before the page is opened.
 */
export async function inNoTime(page: Page, work: () => Promise<void>): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  await work()
  await page.clock.resume()
}

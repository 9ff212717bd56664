import { test as base } from 'playwright/test'

/** How many times slower than it is the processor of a page is made (`COUNTERSIGN_SLOW=4 npm run e2e`): a test that races loses. */
const SLOWER = Number(process.env.COUNTERSIGN_SLOW ?? 1)

/**
 * Tests with their own page in a window that is kept from test to test: of keys that were held, of where the pointer stood and of where
 * the page has been, nothing comes over from the test before. An empty page keeps the window open in between.
 */
export const test = base.extend({
  page: async ({ context }, use) => {
    if (context.pages().length === 0) await context.newPage()
    const page = await context.newPage()
    if (SLOWER > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await use(page)
  },
})

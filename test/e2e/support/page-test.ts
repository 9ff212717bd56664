import { test as base } from 'playwright/test'

/** The factor by which a page's processor is slowed down (`COUNTERSIGN_SLOW=4 npm run e2e`), so that tests with race conditions fail. */
const SLOWER = Number(process.env.COUNTERSIGN_SLOW ?? 1)

/**
 * Each test gets its own page in a window that is reused for all tests. Held keys, the pointer position and the page history do not carry
 * over from the previous test. An empty page keeps the window open between tests.
 */
export const test = base.extend({
  page: async ({ context }, use) => {
    if (context.pages().length === 0) await context.newPage()
    const page = await context.newPage()
    if (SLOWER > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await use(page)
  },
})

import { test as base } from 'playwright/test'

/**
 * Tests with a page of their own in a window that is kept from test to test: of keys that were held, of where the pointer stood and of where
 * the page has been, nothing comes over from the test before. An empty page keeps the window open in between.
 */
export const test = base.extend({
  page: async ({ context }, use) => {
    if (context.pages().length === 0) await context.newPage()
    await use(await context.newPage())
  },
})

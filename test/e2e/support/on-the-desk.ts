import type { Locator, Page } from 'playwright/test'

/** Where things stand on the desk, in the words of its look: all specs find them in one way. */
export const ledger = (page: Page): Locator => page.getByRole('list', { name: /^Ledger/ })

/** The request that waits for a signature. */
export const tray = (page: Page): Locator => page.locator('[data-tray=needs]')

/** The button that signs it, once it may be pressed. */
export const armed = (page: Page): Locator => tray(page).locator('[data-armed=true]')

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })

/** Signs the request that waits; `words` are those that it is known by. */
export async function sign(page: Page, words?: string | RegExp): Promise<void> {
  await tray(page)
    .filter(words === undefined ? {} : { hasText: words })
    .locator('[data-armed=true]')
    .click()
}

/** Goes to a session by its title in the list, where those that need a user may stand twice. */
export async function openSession(page: Page, title: RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Sessions' }).getByRole('button', { name: title }).first().click()
}

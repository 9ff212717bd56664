import { expect, type Locator, type Page } from 'playwright/test'

/** Locators of the parts of the window, as a user would find them. All specs use the same locators. */
export const ledger = (page: Page): Locator => page.getByRole('list', { name: /^Ledger/ })

/** The entries of the ledger, whether or not they are in boxes. */
export const entries = (page: Page): Locator => ledger(page).locator('[role=listitem]')

/** The tray with the request that waits for a signature. */
export const tray = (page: Page): Locator => page.locator('[data-tray=needs]')

/** The button that signs the request, once it may be pressed. */
export const armed = (page: Page): Locator => tray(page).locator('[data-armed=true]')

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })

/** Signs the waiting request. `words` identify the request. */
export async function sign(page: Page, words?: string | RegExp): Promise<void> {
  await tray(page)
    .filter(words === undefined ? {} : { hasText: words })
    .locator('[data-armed=true]')
    .click()
}

/** Opens a session by its title in the list. A session that needs the user may be listed twice. */
export async function openSession(page: Page, title: RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Sessions' }).getByRole('button', { name: title }).first().click()
}

/**
 * Does what shows another session, and waits until that session’s message field has the focus. `fill` would otherwise choose the field of the
 * session before, and type when that is gone.
 */
export async function untilNextSession(page: Page, action: () => Promise<void>): Promise<void> {
  const left = await composer(page).getAttribute('data-composer-of')
  await action()
  await expect(page.locator(`[data-composer-of]:focus:not([data-composer-of="${left}"])`)).toBeVisible()
}

export const newSession = (page: Page): Promise<void> => untilNextSession(page, () => page.keyboard.press('Control+n'))

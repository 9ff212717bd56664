import type { Page } from 'playwright/test'

/**
 * Watches from now on for an element whose whole text matches, and gives a wait for it: an element that disappears may be gone before anybody
 * looks again.
 */
export async function willBeShown(page: Page, pattern: string): Promise<() => Promise<void>> {
  const seen = await page.evaluateHandle((source) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const isShown = (element: Element): boolean => new RegExp(source, 'u').test(element.textContent ?? '') && element.checkVisibility()
    const observer = new MutationObserver(() => {
      if (![...document.querySelectorAll('output, p, span')].some(isShown)) return
      observer.disconnect()
      resolve()
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    // a promise itself would be waited for
    return { promise }
  }, pattern)
  return () => seen.evaluate(({ promise }) => promise)
}

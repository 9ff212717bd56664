import type { Page } from 'playwright/test'

/**
 * Watches for an element whose entire text matches, from this call on. Returns a function that waits for it. An element that disappears
 * could be gone before a normal locator looks for it.
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
    // the promise is wrapped in an object, because `evaluateHandle` would wait for a bare promise
    return { promise }
  }, pattern)
  return () => seen.evaluate(({ promise }) => promise)
}

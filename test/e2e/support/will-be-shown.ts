import type { Page } from 'playwright/test'

/**
 * From this call on, watches for an element whose entire text matches. Returns a function that waits for it. Unlike a normal locator, it
 * also finds an element that appears only for a moment.
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
    // The promise is wrapped in an object, because `evaluateHandle` would wait for a bare promise.
    return { promise }
  }, pattern)
  return () => seen.evaluate(({ promise }) => promise)
}

/** How long to wait for the element, in ms. After this time it must not grab the focus. */
const TIMEOUT_MS = 3_000

/**
 * Focuses the first matching element as soon as it exists, and again if a drawer that opens at the same moment grabs the focus. `shown`
 * also scrolls it into view. Stops when the user presses a key or clicks.
 */
export function focusWhenThere(selector: string, scroll: 'as it is' | 'shown' = 'as it is'): void {
  const until = performance.now() + TIMEOUT_MS
  let isOver = false
  const leave = (): void => {
    isOver = true
    removeEventListener('keydown', leave, { capture: true })
    removeEventListener('pointerdown', leave, { capture: true })
  }
  addEventListener('keydown', leave, { capture: true })
  addEventListener('pointerdown', leave, { capture: true })
  let held = 0
  const look = (): void => {
    // This frame was requested before the user pressed a key or clicked.
    if (isOver) return
    const place = document.querySelector<HTMLElement>(selector)
    held = place !== null && document.activeElement === place ? held + 1 : 0
    place?.focus({ preventScroll: scroll === 'as it is' })
    if (held < 3 && performance.now() < until) requestAnimationFrame(look)
    else leave()
  }
  // The current key event must be finished first.
  requestAnimationFrame(look)
}

/** How long something that was asked for may take to appear (ms); later it may not take the focus any more. */
const PATIENCE_MS = 3_000

/**
 * Puts the focus on the first element that fits as soon as it can have it, and sees that it stays: a drawer that comes out at the same
 * moment takes it once for itself. `shown`: it is scrolled into sight. Ends early when the person takes the focus elsewhere.
 */
export function focusWhenThere(selector: string, scroll: 'as it is' | 'shown' = 'as it is'): void {
  const until = performance.now() + PATIENCE_MS
  let isOver = false
  const leave = (): void => {
    isOver = true
  }
  addEventListener('keydown', leave, { capture: true, once: true })
  addEventListener('pointerdown', leave, { capture: true, once: true })
  let held = 0
  const look = (): void => {
    const place = document.querySelector<HTMLElement>(selector)
    held = place !== null && document.activeElement === place ? held + 1 : 0
    place?.focus({ preventScroll: scroll === 'as it is' })
    if (!isOver && held < 3 && performance.now() < until) requestAnimationFrame(look)
    else {
      removeEventListener('keydown', leave, { capture: true })
      removeEventListener('pointerdown', leave, { capture: true })
    }
  }
  // the key that asked is still on its way
  requestAnimationFrame(look)
}

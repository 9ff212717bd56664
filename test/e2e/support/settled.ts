import type { Locator, Page } from 'playwright/test'

/**
 * Resolves when all transitions and finite animations have ended, including those that started during the wait. Waits two frames first,
 * because a transition starts only when the change is drawn.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = (): readonly Animation[] =>
      document
        .getAnimations()
        .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    const frame = (): Promise<number> => new Promise(requestAnimationFrame)
    await frame()
    await frame()
    while (ending().length > 0) {
      await Promise.allSettled(ending().map((one) => one.finished))
      await frame()
    }
  })
}

/** Resolves with the box of an element after the element has not moved for ten frames, so that scrolling and layout shifts are over. */
export function restingBox(
  locator: Locator,
): Promise<{ readonly x: number; readonly y: number; readonly width: number; readonly height: number }> {
  return locator.evaluate(async (element) => {
    const box = (): DOMRect => element.getBoundingClientRect()
    let last = box()
    for (let still = 0; still < 10; last = box()) {
      await new Promise(requestAnimationFrame)
      const { x, y, width, height } = box()
      still = x === last.x && y === last.y && width === last.width && height === last.height ? still + 1 : 0
    }
    const { x, y, width, height } = box()
    return { x, y, width, height }
  })
}

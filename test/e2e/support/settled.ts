import type { Page } from 'playwright/test'

/**
 * Resolves when everything that fades or moves has arrived, what began in the meantime included; what turns for ever is no reason to wait.
 * Two frames first: a change of this moment starts its transition when it is drawn.
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

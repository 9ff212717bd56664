import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type AxeCore from 'axe-core'
import type { Page } from 'playwright/test'
import { settled } from './settled.ts'

/**
 * Returns what axe finds on the page in its current state, as `rule: selector`, or an empty list. Colors are checked after their
 * transitions: a finding during a fade is checked again. The debugger loads axe, so the page's content policy stays unchanged.
 */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
  for (;;) {
    await settled(page)
    const { found, faded } = await judged(page)
    if (!faded || found.length === 0) return found
  }
}

function judged(page: Page): Promise<{ readonly found: readonly string[]; readonly faded: boolean }> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as { readonly axe: typeof AxeCore }
    let faded = false
    const onFade = (): void => void (faded = true)
    for (const name of ['transitionrun', 'animationstart']) document.addEventListener(name, onFade, true)
    // To read style sheets, axe would add style elements, which the page's content policy blocks.
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false })
    for (const name of ['transitionrun', 'animationstart']) document.removeEventListener(name, onFade, true)
    const ends = (one: Animation): boolean => one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    faded ||= document.getAnimations().some((one) => one.playState === 'running' && ends(one))
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.any[0]?.message ?? ''}`),
    )
    return { found, faded }
  })
}

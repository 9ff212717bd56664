import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type AxeCore from 'axe-core'
import type { Page } from 'playwright/test'
import { settled } from './settled.ts'

/** What axe finds on the page as it stands, as `rule: selector`; empty when it is clean. Brought in by the debugger, so the page's policy stays as it is. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // colours are judged when they have arrived, not while something fades in
  await settled(page)
  await page.evaluate(await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
  return page.evaluate(async () => {
    const { axe } = window as unknown as { readonly axe: typeof AxeCore }
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.any[0]?.message ?? ''}`))
  })
}

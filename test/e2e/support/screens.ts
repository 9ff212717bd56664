import { join } from 'node:path'
import type { Page, TestInfo } from 'playwright/test'
import { EVERY_STATE, withTheme } from './pictures.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 900, height: 700 },
] as const

/** The main states, which get screenshots in every run but that of `npm test`. The other states get them only on request. */
const MAIN_STATES: ReadonlySet<string> = new Set(['first-run', 'approve-edit', 'approve-command', 'running', 'changes', 'tools', 'error'])

/**
 * Saves four screenshots of a state in `test-results/screens` as `NAME-WIDTHxHEIGHT-THEME.png`: both themes in both sizes. People look at
 * them (DESIGN §11). Afterwards the page has its earlier size and theme again.
 */
export async function keepScreens(page: Page, info: TestInfo, name: string): Promise<void> {
  if (!EVERY_STATE && (process.env['COUNTERSIGN_TESTS'] === 'fast' || !MAIN_STATES.has(name))) return
  const before = page.viewportSize()
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const theme of ['light', 'dark'] as const)
      await withTheme(page, theme, async () => {
        const path = join(info.project.outputDir, 'screens', `${name}-${size.width}x${size.height}-${theme}.png`)
        await page.screenshot({ path })
      })
  }
  if (before) await page.setViewportSize(before)
}

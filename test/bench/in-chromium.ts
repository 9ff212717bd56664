import { type Browser, chromium } from 'playwright/test'
import { findChromiums, thisMachine } from '../../main/bootstrap/find-chromium.mjs'
import { buildShell } from '../support/built-shell.ts'
import type { Figure } from './figures.ts'

/** Measures in Chromium, on the shell as built. Without Chromium, there is one figure, which says that `promise` was not measured. */
export async function inChromium(promise: string, measure: (browser: Browser) => Promise<readonly Figure[]>): Promise<readonly Figure[]> {
  const [executablePath] = findChromiums(thisMachine())
  if (executablePath === undefined) return [{ promise, value: 'not measured', method: 'no Chromium on this machine' }]
  const removeBuild = await buildShell()
  const browser = await chromium.launch({ executablePath })
  try {
    return await measure(browser)
  } finally {
    await browser.close()
    await removeBuild()
  }
}

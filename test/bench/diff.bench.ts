import { type Browser, chromium, type Page } from 'playwright'
import { findChromiums, thisMachine } from '../../main/bootstrap/find-chromium.mjs'
import { serveSamples } from '../support/desk-harness/serve-page.ts'
import { type Figure, median } from './figures.ts'

const RUNS = 5
const STEPS = 40

interface Load {
  readonly firstLinesMs: number
  readonly colouredMs: number
  readonly longestTaskMs: number
  readonly scrollStepMs: number
}

interface Stage {
  readonly browser: Browser
  readonly address: string
}

/**
 * Measures the diff view in a real Chromium under the page's content policy. Each figure is the median of single page loads after a
 * warm-up load. The longest task and the scroll steps are measured in the page with its own clock.
 */
export async function benchDiff(): Promise<readonly Figure[]> {
  const [executablePath] = findChromiums(thisMachine())
  const server = await serveSamples()
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  const stage = { browser, address: server.address }
  try {
    return [...(await figures(stage, 'tray')), ...(await figures(stage, 'split'))]
  } finally {
    await browser.close()
    await server.close()
  }
}

async function figures(stage: Stage, layout: 'tray' | 'split'): Promise<readonly Figure[]> {
  const loads: Load[] = []
  for (let run = 0; run <= RUNS; run++) loads.push(await load(stage, `/samples.html?show=${layout}&files=long`))
  const of = (name: keyof Load): string => `${Math.round(median(loads.slice(1).map((one) => one[name])))} ms`
  const what = layout === 'tray' ? 'stacked in the tray' : 'side by side'
  return [
    {
      promise: `5,000 lines, 200 changes, ${what}: time to the first lines`,
      value: of('firstLinesMs'),
      method: 'from navigation, including the page’s own startup',
    },
    {
      promise: `5,000 lines, 200 changes, ${what}: time to the colors`,
      value: of('colouredMs'),
      method: 'from navigation; plain lines are shown before that',
    },
    {
      promise: `5,000 lines, 200 changes, ${what}: longest task`,
      value: of('longestTaskMs'),
      method: 'after the page’s start, none may reach 200 ms',
    },
    {
      promise: `5,000 lines, 200 changes, ${what}: scroll step`,
      value: of('scrollStepMs'),
      method: `median of ${STEPS} steps of 600 px, to the next frame`,
    },
  ]
}

async function load({ browser, address }: Stage, path: string): Promise<Load> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript(() => {
    const tasks: { readonly start: number; readonly ms: number }[] = []
    Object.assign(window, { tasks })
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ startTime, duration }) => ({ start: startTime, ms: duration }))),
    ).observe({
      entryTypes: ['longtask'],
    })
  })
  await page.goto(`${address}${path}`)
  const started = await page.evaluate(() => performance.now())
  const firstLinesMs = await when(page, '[data-line]')
  const colouredMs = await when(page, '[data-line] span[style*="bold"]')
  const longestTaskMs = await page.evaluate((from) => {
    const { tasks } = window as unknown as { readonly tasks: readonly { readonly start: number; readonly ms: number }[] }
    return Math.max(0, ...tasks.filter(({ start }) => start >= from).map(({ ms }) => ms))
  }, started)
  const scrollStepMs = median(await scroll(page))
  await page.close()
  return { firstLinesMs, colouredMs, longestTaskMs, scrollStepMs }
}

async function when(page: Page, selector: string): Promise<number> {
  await page.locator(selector).first().waitFor()
  return page.evaluate(() => performance.now())
}

async function scroll(page: Page): Promise<readonly number[]> {
  return page.evaluate(async (steps) => {
    const scrolls = (element: Element): boolean =>
      element.scrollHeight > element.clientHeight + 50 && /auto|scroll/.test(getComputedStyle(element).overflowY)
    const root = [...document.querySelectorAll('*')].find(scrolls)
    const gaps: number[] = []
    for (let step = 0; step < steps && root; step++) {
      const before = performance.now()
      root.scrollTop += 600
      await new Promise((drawn) => requestAnimationFrame(drawn))
      gaps.push(performance.now() - before)
    }
    return gaps
  }, STEPS)
}

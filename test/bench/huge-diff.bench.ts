import type { Browser, Page } from 'playwright/test'
import { startDesk, temporary } from '../e2e/support/running-desk.ts'
import { writeFileChange } from '../e2e/support/written-file.ts'
import { type Figure, median } from './figures.ts'
import { takeLongTasks, watchedPage } from './long-tasks.ts'
import { inChromium } from './in-chromium.ts'

const LINES = 100_000
const RUNS = 3
const STEPS = 60

/** The changes of a file: every line, or one line in twenty. */
const CHANGES = {
  'difference of 200 000 lines': (at: number) => `export const value${at} = 'new ${at % 7}'\n`,
  '5 000 hunks in 100 000 lines': (at: number) => (at % 20 === 7 ? `export const value${at} = 'new'\n` : before(at)),
} as const

const before = (at: number): string => `export const value${at} = 'old ${at % 7}'\n`
const lines = (line: (at: number) => string): string => Array.from({ length: LINES }, (_, at) => line(at)).join('')

interface Opened {
  /** Times in ms from the key press to the row of the file, and to the first line of the difference. */
  readonly listMs: number
  readonly linesMs: number
  /** Longest task between the key press and one second after the first line, in ms. */
  readonly longestMs: number
  readonly stepMs: number
  /** The number of scroll steps that took more than two frames. */
  readonly late: number
  readonly drawn: DrawnPage
}

/** The elements and styles of a page with a drawn difference. */
interface DrawnPage {
  readonly html: string
  readonly css: string
  /** The contents and styles of the shadow tree with the lines. */
  readonly lines: { readonly html: string; readonly css: string }
}

/** Measures the review of one large file in the built shell and a real Chromium, against a blank page of the same height. */
export async function benchHugeDiff(): Promise<readonly Figure[]> {
  return inChromium('large differences', async (browser) => {
    const blank = await blankPage(browser)
    const figures: Figure[] = []
    for (const [name, after] of Object.entries(CHANGES)) figures.push(...(await figuresOf(browser, name, lines(after), blank)))
    return figures
  })
}

async function figuresOf(browser: Browser, name: string, after: string, blank: Scrolled): Promise<readonly Figure[]> {
  const runs: Opened[] = []
  for (let run = 0; run < RUNS; run++) runs.push(await opened(browser, after))
  const of = (field: Exclude<keyof Opened, 'drawn'>): number => median(runs.map((run) => run[field]))
  const [{ drawn }] = runs as [Opened]
  const still = await stillPage(browser, drawn)
  return [
    {
      promise: `${name}: time to the file list, and to the first lines`,
      value: `${Math.round(of('listMs'))} ms, ${Math.round(of('linesMs'))} ms`,
      method: `from Ctrl Shift D, median of ${RUNS} shells; the list in at most 300 ms`,
    },
    {
      promise: `${name}: longest task`,
      value: `${Math.round(of('longestMs'))} ms`,
      method: 'of the page, from the keys to 1 s after the first lines; tasks below 50 ms count as 0',
    },
    {
      promise: `${name}: scroll step`,
      value: `${of('stepMs').toFixed(1)} ms, ${of('late')} late; ${told('the same elements without our code', still)}; ${told('the blank page', blank)}`,
      method: `median of ${STEPS} steps of 600 px, to the next frame; late: more than two frames (34 ms); without our code: a copy of the page's elements and styles, in which each step moves as many rows to the end as it scrolls`,
    },
  ]
}

async function opened(browser: Browser, after: string): Promise<Opened> {
  const data = temporary('bench-data')
  const folder = temporary('bench-project')
  await writeFileChange({ data: data.path, folder: folder.path, shown: 'src/huge.ts', before: lines(before), after })
  const shell = await startDesk({ data: data.path })
  const page = await watchedPage(browser)
  try {
    await page.addInitScript(markArrivals)
    await page.goto(shell.address)
    await page.getByText('Change the file').first().waitFor()
    await page.waitForTimeout(3_000)
    await takeLongTasks(page)
    await page.keyboard.press('Control+Shift+D')
    await page.waitForFunction(() => performance.getEntriesByName('lines').length > 0)
    const { list, first } = await page.evaluate(arrivals)
    await page.waitForTimeout(1_000)
    const { longest } = await takeLongTasks(page)
    const scrolled = await page.evaluate(scroll, { steps: STEPS, selector: '[aria-label="Difference"]' })
    return { listMs: list, linesMs: first, longestMs: longest, ...summed(scrolled), drawn: await page.evaluate(drawnPage) }
  } finally {
    await page.context().close()
    await shell.kill9()
    await Promise.all([data.remove(), folder.remove()])
  }
}

/** Runs in the page. Marks the first frames that show the list and the lines of the review. */
function markArrivals(): void {
  const mark = (name: string): void => {
    if (performance.getEntriesByName(name).length === 0) performance.mark(name)
  }
  addEventListener(
    'keydown',
    (event) => {
      if (event.key.toLowerCase() === 'd') mark('keys')
    },
    { capture: true },
  )
  const look = (): void => {
    if (performance.getEntriesByName('keys').length > 0) {
      const review = document.querySelector('[aria-label="Difference"]')
      if (document.querySelector('[aria-label="Changed files"] [data-list-row]')) mark('list')
      if (review?.querySelector('diffs-container')?.shadowRoot?.querySelector('[data-line]')) mark('lines')
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Runs in the page. */
function arrivals(): { readonly list: number; readonly first: number } {
  const at = (name: string): number => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN
  return { list: at('list') - at('keys'), first: at('lines') - at('keys') }
}

/** Runs in the page. Measures the time from each scroll step to the next frame. */
async function scroll({ steps, selector }: { readonly steps: number; readonly selector: string }): Promise<readonly number[]> {
  const found = [...document.querySelectorAll(selector)]
  const root = found.find((one) => one.scrollHeight > one.clientHeight + 50)
  if (!root) throw new Error('Nothing scrolls.')
  const gaps: number[] = []
  for (let step = 0; step < steps; step++) {
    const start = performance.now()
    root.scrollTop += 600
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    gaps.push((performance.now() - start) / 2)
  }
  return gaps
}

type Scrolled = Pick<Opened, 'stepMs' | 'late'>

const told = (what: string, { stepMs, late }: Scrolled): string => `${what} ${stepMs.toFixed(1)} ms, ${late} late`

const summed = (gaps: readonly number[]): Scrolled => ({ stepMs: median([...gaps]), late: gaps.filter((gap) => gap > 34).length })

async function blankPage(browser: Browser): Promise<Scrolled> {
  const page: Page = await watchedPage(browser)
  await page.goto(
    `data:text/html,<!doctype html><div aria-label=Blank style="height:800px;overflow:auto"><div style="height:${LINES * 20}px"></div></div>`,
  )
  const scrolled = summed(await page.evaluate(scroll, { steps: STEPS, selector: '[aria-label=Blank]' }))
  await page.context().close()
  return scrolled
}

/** Runs in the page. */
function drawnPage(): DrawnPage {
  const cssOf = (sheets: Iterable<CSSStyleSheet>): string =>
    [...sheets].flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText)).join('\n')
  const page = document.documentElement.cloneNode(true) as HTMLElement
  for (const unused of page.querySelectorAll('script, style, link, meta')) unused.remove()
  const shadow = document.querySelector('[aria-label="Difference"] diffs-container')?.shadowRoot
  if (!shadow) throw new Error('No lines are drawn.')
  const lines = { html: shadow.innerHTML, css: cssOf([...shadow.adoptedStyleSheets, ...shadow.styleSheets]) }
  return { html: page.outerHTML, css: cssOf(document.styleSheets), lines }
}

/**
 * Measures a copy of a drawn page without our code. The result is the time that this machine needs for such elements, whatever code draws
 * them.
 */
async function stillPage(browser: Browser, drawn: DrawnPage): Promise<Scrolled> {
  const page = await watchedPage(browser)
  await page.setContent(drawn.html)
  const gaps = await page.evaluate(scrollStill, { drawn, steps: STEPS })
  await page.context().close()
  return summed(gaps)
}

/** Runs in the page. */
async function scrollStill({ drawn, steps }: { readonly drawn: DrawnPage; readonly steps: number }): Promise<readonly number[]> {
  const sheet = (css: string): CSSStyleSheet => {
    const made = new CSSStyleSheet()
    made.replaceSync(css)
    return made
  }
  document.adoptedStyleSheets = [sheet(drawn.css)]
  const box = document.querySelector('[aria-label="Difference"]')
  const shadow = box?.querySelector('diffs-container')?.attachShadow({ mode: 'open' })
  if (!box || !shadow) throw new Error('The copy has no lines.')
  shadow.innerHTML = drawn.lines.html
  for (const style of shadow.querySelectorAll('style')) style.remove()
  shadow.adoptedStyleSheets = [sheet(drawn.lines.css)]
  const above = shadow.querySelector<HTMLElement>('[data-virtualizer-buffer=before]')
  const row = shadow.querySelector('[data-line]')?.getBoundingClientRect().height ?? 0
  if (!above || row === 0) throw new Error('The copy has no lines.')
  const rows = Math.round(600 / row)
  const top = above.offsetHeight
  const columns = [...shadow.querySelectorAll('[data-gutter], [data-content]')]
  box.scrollTop = top + 240
  const gaps: number[] = []
  for (let step = 1; step <= steps; step++) {
    const start = performance.now()
    box.scrollTop += rows * row
    await new Promise(requestAnimationFrame)
    for (const column of columns) {
      const passed = [...column.children].slice(0, rows)
      const html = passed.map(({ outerHTML }) => outerHTML).join('')
      for (const one of passed) one.remove()
      column.insertAdjacentHTML('beforeend', html)
    }
    above.style.height = `${top + step * rows * row}px`
    await new Promise(requestAnimationFrame)
    gaps.push((performance.now() - start) / 2)
  }
  return gaps
}

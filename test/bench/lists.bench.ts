import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright/test'
import { modelEnv } from '../e2e/support/desk-test.ts'
import { startDesk, temporary } from '../e2e/support/running-desk.ts'
import { changedPath, writeLists } from '../e2e/support/written-lists.ts'
import { writeSession } from '../e2e/support/written-session.ts'
import { call, message, say, startScriptedModel, text } from '../support/scripted-model.ts'
import type { Figure } from './figures.ts'
import { blankList, type LongTasks, takeLongTasks, watchedPage } from './long-tasks.ts'
import { inChromium } from './in-chromium.ts'

const SESSIONS = 2_000
const FILES = 3_000
const ROUNDS = 150
const TURNS = 280

/**
 * Measures the longest task of the window with long lists, against a bare list of the same rows in the same browser (DESIGN §10: at most
 * 50 ms longer).
 */
export async function benchLists(): Promise<readonly Figure[]> {
  return inChromium('long lists', async (browser) => {
    return [await sessions(browser), ...(await files(browser)), await firstScroll(browser), await arriving(browser)]
  })
}

const method = (how: string): string => `the shell as built, in a real Chromium; tasks above 50 ms as the browser reports them; ${how}`

function figure(promise: string, ours: LongTasks, blank: LongTasks, nodes: number, how: string): Figure {
  const value = `longest ${told(ours)}, ${nodes} elements; the bare list ${told(blank)}`
  return { promise, value, method: method(how) }
}

const told = ({ longest, count }: LongTasks): string => (count === 0 ? 'below 50 ms' : `${longest} ms (${count} above 50)`)

interface Places {
  readonly data: string
  readonly folder: string
}

/** Starts a shell on a data folder that `write` has filled, and opens a page on it. */
async function onShell<T>(
  browser: Browser,
  write: (places: Places) => Promise<unknown>,
  work: (page: Page, address: string, places: Places) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  const data = temporary('bench-data')
  const folder = temporary('bench-project')
  const places = { data: data.path, folder: folder.path }
  await write(places)
  const shell = await startDesk({ data: data.path, env })
  const page = await watchedPage(browser)
  try {
    return await work(page, shell.address, places)
  } finally {
    await page.context().close()
    await shell.kill9()
    await Promise.all([data.remove(), folder.remove()])
  }
}

const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)

/** Opens the page, and waits until `ready` is shown and the page has come to rest. Returns the long tasks so far. */
async function load(page: Page, address: string, ready: string): Promise<LongTasks> {
  await page.goto(address)
  await page.waitForTimeout(1_500)
  await page.getByText(ready).first().waitFor()
  await page.waitForTimeout(1_500)
  return takeLongTasks(page)
}

async function sessions(browser: Browser): Promise<Figure> {
  const ours = await onShell(
    browser,
    ({ data, folder }) => writeLists({ data, folder, sessions: SESSIONS, files: 1 }),
    async (page, address) => ({ tasks: await load(page, address, 'Change them all'), nodes: await elements(page) }),
  )
  const blank = await blankList(
    browser,
    Array.from({ length: SESSIONS }, (_, at) => `Request ${at} 1m`),
  )
  return figure(`open with ${SESSIONS} sessions`, ours.tasks, blank, ours.nodes, 'from the address to 1.5 s after the newest row')
}

async function files(browser: Browser): Promise<readonly Figure[]> {
  const ours = await onShell(
    browser,
    ({ data, folder }) => writeLists({ data, folder, sessions: 0, files: FILES }),
    async (page, address) => {
      const opened = { tasks: await load(page, address, 'Change them all'), nodes: await elements(page) }
      await page.keyboard.press('Control+Shift+D')
      await page.getByText('Close review').first().waitFor()
      await page.waitForTimeout(1_500)
      return { opened, review: { tasks: await takeLongTasks(page), nodes: await elements(page) } }
    },
  )
  const blank = await blankList(
    browser,
    Array.from({ length: FILES }, (_, at) => `${changedPath(at)} new +1`),
  )
  const { opened, review } = ours
  return [
    figure(`Changes with ${FILES} files`, opened.tasks, blank, opened.nodes, 'from the address to 1.5 s after the session is shown'),
    figure(`Review with ${FILES} files`, review.tasks, blank, review.nodes, 'from the keys to 1.5 s after the page is shown'),
  ]
}

async function firstScroll(browser: Browser): Promise<Figure> {
  const ours = await onShell(
    browser,
    ({ data, folder }) => writeSession({ data, folder, turns: TURNS }),
    async (page, address) => {
      await load(page, address, `Answer ${TURNS} ends.`)
      await scrollUp(page)
      return { tasks: await takeLongTasks(page), nodes: await elements(page) }
    },
  )
  const rows = Array.from(
    { length: TURNS * 4 },
    (_, at) => `Answer ${at} begins. It has a few words more than fit on one line of a ledger.`,
  )
  return figure(
    `first scroll through ${TURNS * 4} entries`,
    ours.tasks,
    await blankList(browser, rows, 200),
    ours.nodes,
    'up to the first one',
  )
}

/** Scrolls up by half a window per frame until the first entry is visible. */
function scrollUp(page: Page): Promise<void> {
  return page.getByRole('region', { name: 'Ledger' }).evaluate(async (box) => {
    const first = (): boolean =>
      [...box.querySelectorAll('[role=listitem]')].slice(0, 4).some((row) => row.textContent.includes('Request 1'))
    for (let still = 0; still < 120;) {
      box.scrollTop -= 400
      await new Promise(requestAnimationFrame)
      still = box.scrollTop <= 1 && first() ? still + 40 : box.scrollTop <= 1 ? still + 1 : 0
    }
  })
}

/** Measures rounds with a text, a read and an edit that arrive as fast as the model's server can send them. */
async function arriving(browser: Browser): Promise<Figure> {
  const words = (round: number): string => `Round ${round}: I look at the parser. ${'It reads **nested** calls in `parse()`. '.repeat(12)}`
  const rounds = Array.from({ length: ROUNDS }, (_, round) =>
    message([
      text(words(round)),
      call('read_file', { file_path: `src/file-${round}.ts` }),
      call('write_file', { file_path: `out/file-${round}.ts`, content: `export const value = ${round}\n` }),
    ]),
  )
  const model = await startScriptedModel([...rounds, say('All rounds are done.')])
  const config = { mode: 'full' } as const
  const write = async ({ data, folder }: Places): Promise<void> => {
    await mkdir(join(folder, 'src'))
    await Promise.all(rounds.map((_, round) => writeFile(join(folder, `src/file-${round}.ts`), `export const value = ${round}\n`)))
    await writeSession({ data, folder, turns: 1, ...config })
  }
  const arrive = async (page: Page, address: string): Promise<{ readonly tasks: LongTasks; readonly nodes: number }> => {
    await load(page, address, 'Answer 1 ends.')
    await page.getByRole('textbox', { name: 'Message' }).fill('Do all rounds')
    await page.keyboard.press('Enter')
    // No locator waits for text here, because each query would add to the page's own work.
    await model.request(ROUNDS)
    await page.waitForTimeout(2_000)
    return { tasks: await takeLongTasks(page), nodes: await elements(page) }
  }
  const ours = await onShell(browser, write, arrive, modelEnv(model)).finally(() => void model.close())
  const rows = Array.from({ length: ROUNDS * 3 }, (_, at) => words(at))
  return figure(
    `${ROUNDS} rounds arriving`,
    ours.tasks,
    await blankList(browser, rows, 3),
    ours.nodes,
    'from the request to the end of the turn',
  )
}

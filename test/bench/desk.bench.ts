import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright/test'
import { modelEnv, openProject, send } from '../e2e/support/desk-test.ts'
import { ledger } from '../e2e/support/on-the-desk.ts'
import { startDesk } from '../e2e/support/running-desk.ts'
import { type Script, say, startScriptedModel } from '../support/scripted-model.ts'
import { inFolder, made, seeded } from './bench-app.ts'
import { type Figure, median } from './figures.ts'
import { watchedPage } from './long-tasks.ts'
import { seedSession } from './seeded-session.ts'
import { inChromium } from './in-chromium.ts'

const CONFIG = { provider: 'anthropic', model: 'm', mode: 'full', effort: null, baseUrl: null } as const
const STARTS = 7
const SWITCHES = 10
const KEYS = 60
const FILES = 100_000
const FILES_IN_FOLDER = 500
const HOURS = 8
const TURNS_AN_HOUR = 60

/** Measures what a user waits for in the window, in Chromium on the built shell. The bars are those of the desktop app. */
export async function benchDesk(): Promise<readonly Figure[]> {
  return inChromium('the window', async (browser) => {
    return [
      await firstPaint(browser),
      await sessionSwitch(browser),
      await typing(browser),
      await fileTree(browser),
      await pageMemory(browser),
    ]
  })
}

async function firstPaint(browser: Browser): Promise<Figure> {
  const times = await inFolder(async (folder) => {
    const shell = await startDesk({ data: made(folder, 'data') })
    const found: number[] = []
    try {
      const page = await watchedPage(browser)
      await page.goto(shell.address)
      for (let start = 0; start < STARTS; start++) {
        await page.reload()
        await page.getByRole('button', { name: 'Open a folder' }).first().waitFor()
        found.push(await page.evaluate(paintTime))
      }
      await page.context().close()
      return found
    } finally {
      await shell.kill9()
    }
  })
  return {
    promise: 'first paint of the page',
    value: inMs(times),
    method: `${STARTS} loads, from the first byte of the server’s answer to the first contents; at most 300 ms`,
  }
}

/** Runs in the page. */
async function paintTime(): Promise<number> {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const paint = await new Promise<number>((resolve) => {
    new PerformanceObserver((list) => {
      const [entry] = list.getEntriesByName('first-contentful-paint')
      if (entry) resolve(entry.startTime)
    }).observe({ type: 'paint', buffered: true })
  })
  return paint - (navigation?.responseStart ?? Number.NaN)
}

async function sessionSwitch(browser: Browser): Promise<Figure> {
  const rounds = [150, 200] as const
  const times = await inFolder(async (folder) => {
    const data = made(folder, 'data')
    await seeded(data, (store) => {
      for (const count of rounds)
        seedSession(store, { sessionId: `s_${count}`, cwd: '/w', config: CONFIG, rounds: count, outputChars: 1_000 })
    })
    const shell = await startDesk({ data })
    const found: number[] = []
    try {
      const page = await watchedPage(browser)
      await page.goto(shell.address)
      const rows = page.getByRole('navigation', { name: 'Sessions' }).getByRole('button', { name: /Make test/u })
      await rows.nth(1).waitFor()
      await rows.nth(0).click()
      await ledger(page)
        .getByText(/^Round \d+:/u)
        .last()
        .waitFor()
      for (let turn = 1; turn < SWITCHES + 3; turn++) {
        const took = await rows.nth(turn % 2).evaluate(
          switchTime,
          rounds.map((count) => `Round ${count - 1}:`),
        )
        // The first time, a session is read from the disk.
        if (turn > 2) found.push(took)
      }
      await page.context().close()
      return found
    } finally {
      await shell.kill9()
    }
  })
  return {
    promise: 'switch to another session',
    value: inMs(times),
    method: `${SWITCHES} switches between sessions of ${rounds.join(' and ')} rounds that were shown before, to the frame with the last entry; at most 100 ms`,
  }
}

/** Runs in the page. Returns the time from a press to the frame that shows another one of these words. */
async function switchTime(button: HTMLElement | SVGElement, words: readonly string[]): Promise<number> {
  const shown = (): string | undefined => {
    const text = document.querySelector('[aria-label^=Ledger]')?.textContent ?? ''
    return words.find((one) => text.includes(one))
  }
  const before = shown()
  const began = performance.now()
  button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  for (;;) {
    await new Promise(requestAnimationFrame)
    const now = shown()
    if (now !== undefined && now !== before) return performance.now() - began
    if (performance.now() - began > 10_000) throw new Error('The other session was not shown.')
  }
}

/** Opens a folder in the desk with a scripted model, and runs `work` in its page. */
async function onDesk<T>(
  browser: Browser,
  script: Script,
  work: (page: Page) => Promise<T>,
  fill = (_project: string): Promise<void> => Promise.resolve(),
): Promise<T> {
  return inFolder(async (folder) => {
    const project = made(folder, 'project')
    await fill(project)
    const model = await startScriptedModel(script)
    const shell = await startDesk({ data: made(folder, 'data'), sandbox: 'off', env: { ...modelEnv(model), SHELL: '/bin/sh' } })
    try {
      const page = await watchedPage(browser)
      await page.goto(shell.address)
      await openProject(page, project)
      const result = await work(page)
      await page.context().close()
      return result
    } finally {
      await shell.kill9()
      await model.close()
    }
  })
}

async function typing(browser: Browser): Promise<Figure> {
  // An event carries several tokens, so this is at least 200 tokens a second.
  const answer = say('The cause lies in the parser. '.repeat(5_000), { delivery: { paceMs: 5 } })
  const times = await onDesk(
    browser,
    () => answer,
    async (page) => {
      await page.keyboard.press('Control+Backquote')
      await page.keyboard.type('yes a line of a log\n')
      await page.locator('.xterm-rows').getByText('a line of a log').nth(2).waitFor()
      await send(page, 'Write a long answer.')
      await ledger(page).getByText('The cause lies').first().waitFor()
      const field = page.getByRole('textbox', { name: 'Message' })
      await field.focus()
      await page.evaluate(watchKeys)
      for (let key = 0; key < KEYS; key++) {
        await page.keyboard.press(key % 6 === 5 ? 'Space' : 'abcde'.charAt(key % 6))
        // A fast typist presses ten keys a second.
        await page.waitForTimeout(100)
      }
      return page.evaluate(() => (window as unknown as { readonly keyTimes: readonly number[] }).keyTimes)
    },
  )
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): string => (sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN).toFixed(0)
  return {
    promise: 'typing beside a stream and a terminal flood',
    value: `${at(0.5)} ms median, ${at(0.95)} ms p95`,
    method: `${times.length} keys, from the key to the frame with its letter, beside 200 tokens a second and \`yes\` in a terminal; p95 at most 30 ms`,
  }
}

/** Runs in the page. Records the time from each key to the end of the frame in which its letter is drawn. */
function watchKeys(): void {
  const keyTimes: number[] = []
  Object.assign(window, { keyTimes })
  document.addEventListener(
    'keydown',
    ({ timeStamp }) => {
      requestAnimationFrame(() => {
        // A task that follows the frame runs after the frame was drawn.
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => keyTimes.push(performance.now() - timeStamp))
        port1.start()
        port2.postMessage(null)
      })
    },
    true,
  )
}

async function fileTree(browser: Browser): Promise<Figure> {
  const fill = async (project: string): Promise<void> => {
    for (let at = 0; at < FILES; at += FILES_IN_FOLDER) {
      const folder = join(project, `folder-${at / FILES_IN_FOLDER}`)
      await mkdir(folder)
      await Promise.all(Array.from({ length: FILES_IN_FOLDER }, (_, n) => writeFile(join(folder, `file-${n}.ts`), '')))
    }
  }
  const times = await onDesk(
    browser,
    [],
    async (page) => {
      const found: number[] = []
      for (let time = 0; time < STARTS; time++) {
        found.push(await page.evaluate(treeTime))
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
        await page.getByRole('tree', { name: 'Files' }).waitFor({ state: 'detached' })
      }
      return found
    },
    fill,
  )
  return {
    promise: `tree of ${FILES.toLocaleString('en-US')} files`,
    value: inMs(times),
    method: `${times.length} times, from the key to the frame with the first rows; at most 150 ms`,
  }
}

/** Runs in the page. */
async function treeTime(): Promise<number> {
  const began = performance.now()
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', code: 'KeyP', ctrlKey: true, bubbles: true }))
  while (document.querySelectorAll('[role=treeitem]').length < 10) {
    await new Promise(requestAnimationFrame)
    if (performance.now() - began > 10_000) throw new Error('No tree was shown.')
  }
  return performance.now() - began
}

/** Each turn has a long answer with code and a table. Between turns, the user opens pages and another session, as in a day of work. */
async function pageMemory(browser: Browser): Promise<Figure> {
  const text = `Done. ${'The cause lies in the parser. '.repeat(60)}\n\n\`\`\`ts\n${'const a = 1\n'.repeat(40)}\`\`\`\n\n| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(20)}`
  const after = await onDesk(
    browser,
    () => say(text),
    async (page) => {
      const found: number[] = []
      for (let hour = 0; hour < HOURS; hour++) {
        for (let turn = 0; turn < TURNS_AN_HOUR; turn++) {
          await send(page, `Hour ${hour}, turn ${turn}`)
          await ledger(page).getByText(`Hour ${hour}, turn ${turn}`).waitFor()
          await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' })
        }
        await visitPages(page)
        found.push(await heapMb(page))
      }
      return found
    },
  )
  const [first = Number.NaN] = after
  const last = after.at(-1) ?? Number.NaN
  return {
    promise: 'memory of the page after a day',
    value: `${(last / first).toFixed(2)} × the first hour (${after.map((mb) => mb.toFixed(1)).join(', ')} MB)`,
    method: `${HOURS} hours of ${TURNS_AN_HOUR} turns each in one session, after a garbage collection; at most 1.2 ×`,
  }
}

async function visitPages(page: Page): Promise<void> {
  for (const keys of ['Control+p', 'Control+Shift+F', 'Control+Comma']) {
    await page.keyboard.press(keys)
    await page.waitForTimeout(200)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  }
  const field: Locator = page.getByRole('textbox', { name: 'Message' })
  await field.waitFor()
}

async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1024 / 1024
}

const inMs = (times: readonly number[]): string => `${median(times).toFixed(0)} ms median, ${Math.max(...times).toFixed(0)} ms at most`

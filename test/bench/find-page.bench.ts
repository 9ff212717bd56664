import type { Page } from 'playwright/test'
import { startDesk } from '../e2e/support/running-desk.ts'
import { inFolder, made, seeded } from './bench-app.ts'
import { type Figure, median } from './figures.ts'
import { watchedPage } from './long-tasks.ts'
import { seedSession } from './seeded-session.ts'
import { inChromium } from './in-chromium.ts'

const CONFIG = { provider: 'anthropic', model: 'm', mode: 'full', effort: null, baseUrl: null } as const
const SESSIONS = 200
const ROUNDS = 42
/** Words that are typed one after another. Each one occurs in at most one event in ten. */
const WORDS = ['the cause', 'parser', 'edge cases', 'npm test', 'shard call-7']
/** Time limit of the indexing, in ms. */
const MAX_INDEXING_MS = 600_000

/** Measures the time from a key press in the search field of the history to the frame with its first hits. */
export async function benchFindPage(): Promise<readonly Figure[]> {
  const promise = 'first hits of the history while typing'
  return inChromium(promise, async (browser) => {
    const times = await inFolder(async (folder) => {
      const data = made(folder, 'data')
      await seeded(data, (store) => {
        for (let n = 0; n < SESSIONS; n++)
          seedSession(store, { sessionId: `s_${n}`, cwd: '/w', config: CONFIG, rounds: ROUNDS, outputChars: 1_000 })
      })
      const shell = await startDesk({ data })
      try {
        return await typed(await watchedPage(browser), shell.address)
      } finally {
        await shell.kill9()
      }
    })
    const value = `${median(times).toFixed(0)} ms median, ${Math.max(...times).toFixed(0)} ms at most`
    return [{ promise, value, method: `${times.length} keys in the shell as built, ${SESSIONS} sessions, all indexed; at most 100 ms` }]
  })
}

async function typed(page: Page, address: string): Promise<readonly number[]> {
  await page.goto(address)
  await page.keyboard.press('Control+Shift+F')
  const field = page.getByRole('combobox', { name: 'Search all sessions' })
  await field.fill('parser')
  await page.getByRole('option').first().waitFor()
  await page.getByText(/ in \d+ sessions, \d+ ms$/u).waitFor({ timeout: MAX_INDEXING_MS })
  const times: number[] = []
  for (const word of WORDS) {
    await field.fill(word.slice(0, 2))
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    // A word with a space at its end has the same hits, so no new hits would appear.
    const typedSoFar = Array.from({ length: word.length - 2 }, (_, at) => word.slice(0, at + 3)).filter((part) => !part.endsWith(' '))
    for (const part of typedSoFar) times.push(await field.evaluate(type, part))
  }
  return times
}

/** Runs in the page. Returns the time from an input to the frame in which the hits match its words. */
async function type(field: HTMLElement, words: string): Promise<number> {
  const input = field as HTMLInputElement
  const list = (): Element | null => document.querySelector('[role=listbox]')
  const before = list()?.innerHTML
  const began = performance.now()
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, words)
  input.dispatchEvent(new Event('input', { bubbles: true }))
  for (;;) {
    await new Promise(requestAnimationFrame)
    const marks = [...document.querySelectorAll('[role=option] mark')].map((mark) => mark.textContent.toLowerCase())
    if (list()?.innerHTML !== before && words.split(' ').every((word) => marks.includes(word.toLowerCase())))
      return performance.now() - began
    if (performance.now() - began > 10_000) throw new Error(`No hits of "${words}" came.`)
  }
}

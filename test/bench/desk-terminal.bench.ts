import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn } from 'node-pty'
import type { Browser, Page } from 'playwright/test'
import { modelEnv, openProject, send } from '../e2e/support/desk-test.ts'
import { sign } from '../e2e/support/on-the-desk.ts'
import { startDesk } from '../e2e/support/running-desk.ts'
import { call, calls, say, startScriptedModel } from '../support/scripted-model.ts'
import { inFolder, made } from './bench-app.ts'
import { type Figure, median } from './figures.ts'
import { watchedPage } from './long-tasks.ts'
import { inChromium } from './in-chromium.ts'

const REPEATS = 5
const LINES = 213_000
const OUTPUTS = {
  'plain lines': 'a line of a log that is as long as lines of logs usually are\n',
  'colored lines': '\u001b[32mok\u001b[0m \u001b[90m12:00:01\u001b[0m a line of a log as usual with colors\n',
} as const
/** The command measures itself, from its first to its last written byte. */
const COMMAND = 'begin=$(date +%s%N); cat big.txt; end=$(date +%s%N); echo $((end - begin)) > took'

/** Compares a command with 13 MB of output that is watched on the desk in Chromium with the same command in a bare pty. */
export async function benchDeskTerminal(): Promise<readonly Figure[]> {
  const promise = 'command with 13 MB of output, watched on the desk'
  return inChromium(promise, async (browser) => {
    const figures: Figure[] = []
    for (const [name, line] of Object.entries(OUTPUTS)) {
      const { raw, desk } = await inFolder((folder) => measure(browser, folder, line))
      const ratio = (median(desk) / median(raw)).toFixed(2)
      figures.push({
        promise: `${promise}: ${name}`,
        value: `${ratio} × the bare pty (${median(desk).toFixed(0)} ms beside ${median(raw).toFixed(0)} ms)`,
        method: `median of ${REPEATS}, in turn: cat of a file, from its start to its end as the command sees it; at most 1.5 ×`,
      })
    }
    return figures
  })
}

interface Times {
  readonly raw: readonly number[]
  readonly desk: readonly number[]
}

async function measure(browser: Browser, folder: string, line: string): Promise<Times> {
  const project = made(folder, 'project')
  await writeFile(join(project, 'big.txt'), line.repeat(LINES))
  const rounds = Array.from({ length: REPEATS + 1 }, (_, round) => [calls(call('shell', { command: COMMAND })), say(`Done ${round}.`)])
  const model = await startScriptedModel(rounds.flat())
  const shell = await startDesk({ data: made(folder, 'data'), sandbox: 'off', env: modelEnv(model) })
  const raw: number[] = []
  const desk: number[] = []
  try {
    const page = await watchedPage(browser)
    await page.goto(shell.address)
    await openProject(page, project)
    for (let round = 0; round <= REPEATS; round++) {
      const bare = await bareTime(project)
      const watched = await deskTime(page, project, round)
      // The first round does not count, because it loads what the others use.
      if (round === 0) continue
      raw.push(bare)
      desk.push(watched)
    }
    await page.context().close()
    return { raw, desk }
  } finally {
    await shell.kill9()
    await model.close()
  }
}

async function bareTime(project: string): Promise<number> {
  const anyEncoding = { encoding: null }
  await new Promise<void>((resolve) => {
    const pty = spawn('bash', ['-c', COMMAND], { cwd: project, cols: 120, rows: 30, ...anyEncoding })
    pty.onData(() => {})
    pty.onExit(() => resolve())
  })
  return tookMs(project)
}

async function deskTime(page: Page, project: string, round: number): Promise<number> {
  await send(page, `Round ${round}`)
  await sign(page)
  await page.getByText(`Done ${round}.`, { exact: true }).waitFor({ timeout: 120_000 })
  return tookMs(project)
}

async function tookMs(project: string): Promise<number> {
  return Number(await readFile(join(project, 'took'), 'utf8')) / 1_000_000
}

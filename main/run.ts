import './preflight.mjs'
import { resolve } from 'node:path'
import type { SessionState } from '../shared/session/state.ts'
import { type App, createApp } from './app.ts'
import { realFolder } from './environment/real-folder.ts'
import { parseRunFlags, type RunFlags } from './headless/flags.ts'
import { headlessHost } from './headless/headless-host.ts'
import { jsonLines, readable } from './headless/progress.ts'
import { modeOf, runTask } from './headless/run-task.ts'
import { sentences } from './headless/sentences.ts'
import { dataFolder } from './store/data-folder.ts'
import { VERSION } from './version.ts'

/** The headless shell: one task, its events on standard output, how it ended as the exit code. `npm run` changes the folder; INIT_CWD is where the person was. */
const here = process.env['INIT_CWD'] ?? process.cwd()
const given = parseRunFlags(process.argv.slice(2), here)
if (given.ok) process.exitCode = await run(given.value)
else if (given.failure.help) process.stdout.write(given.failure.message)
else {
  process.stderr.write(`${given.failure.message} Try: --help\n`)
  process.exitCode = 2
}

async function run(flags: RunFlags): Promise<number> {
  const folder = dataFolder({ data: flags.data === null ? undefined : resolve(here, flags.data) })
  if (!folder.ok) return fail(sentences(folder.failure))
  const cwd = await realFolder(resolve(here, flags.cwd))
  const app = await createApp({
    host: headlessHost(),
    dataFolder: folder.value,
    version: VERSION,
    openFolder: null,
    watched: false,
    whenUnsaved: 'fail',
    limits: { maxRounds: flags.maxRounds ?? 0 },
    trusted: flags.rehearse ? null : cwd,
  })
  if (!app.ok) return fail(sentences(app.failure))
  try {
    return await work(app.value, flags, cwd)
  } finally {
    await app.value.close()
  }
}

async function work(app: App, flags: RunFlags, cwd: string): Promise<number> {
  const write = (text: string): void => void process.stdout.write(text)
  const isTerminal = process.stdout.isTTY
  const progress = (flags.json ?? !isTerminal) ? jsonLines(write) : readable(write, isTerminal && !process.env['NO_COLOR'])
  const signal = stopSignal()
  if (flags.rehearse) return (await import('./headless/play-rehearsal.ts')).playRehearsal({ starter: app.starter, progress, signal })

  const created = await app.starter.start(cwd, configOf(flags))
  if (!created.ok) return fail(sentences(created.failure))
  const terminal = process.stdin.isTTY && isTerminal ? { input: process.stdin, output: process.stdout } : null
  const state = await runTask({ session: created.value, task: flags.task, progress, terminal, signal })
  return exitCodeOf(state)
}

/** Only the agent's natural end counts as success (D-44). */
function exitCodeOf({ ended }: SessionState): number {
  return ended === 'completed' ? 0 : 1
}

function configOf({ provider, model, baseUrl, approve, effort }: RunFlags) {
  return {
    mode: modeOf(approve),
    ...(provider && { provider }),
    ...(model && { model }),
    ...(baseUrl && { baseUrl }),
    ...(effort && { effort }),
  }
}

/** The first signal stops the turn, which is then in the log; a second one ends the process at once. */
function stopSignal(): AbortSignal {
  const abort = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (abort.signal.aborted) process.exit(130)
      abort.abort(new Error(`ended by ${name}`))
    })
  }
  return abort.signal
}

function fail(words: string): number {
  process.stderr.write(words)
  return 1
}

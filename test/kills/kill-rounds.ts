import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { createDoctor } from '../../main/store/doctor/doctor.ts'
import { openStore } from '../../main/store/open-store.ts'
import { isDamage } from '../../shared/api/doctor.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { type AgentOutcome, runAgent } from '../headless/support/agent-process.ts'
import type { Place } from '../headless/support/model-place.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PRELOAD = join(import.meta.dirname, 'kill-at-write.ts')

export interface Killed {
  /** The number of the disk change before which the process was killed. */
  readonly at: number
  /** The change that the process was about to make. */
  readonly before: string
}

export interface KillRounds {
  readonly rounds: number
  /** Called after the only run that is not killed. `changes`: all changes that this run made to the disk, in order. */
  readonly whole?: (changes: readonly string[]) => Promise<void>
  /** `stdout`: what the process had printed before it was killed. */
  readonly check: (killed: Killed, stdout: string) => Promise<void>
}

type Environment = Readonly<Record<string, string>>
type RunToTheEnd = (env: Environment) => Promise<Pick<AgentOutcome, 'code' | 'stdout' | 'stderr'>>

/**
 * Runs the headless agent with `task` as its arguments, or another process, again and again in the same place. Each run is killed just
 * before a different change to the disk. The `rounds` kills are evenly spread over all changes. `check` examines what is left.
 */
export async function killRounds(at: Place, task: readonly string[] | RunToTheEnd, { rounds, whole, check }: KillRounds): Promise<void> {
  const { restore, run } = await repeatable(at, task)
  const runAt = (killAt: number) => run({ KILL_AT: `${killAt}` })
  const { outcome, changes } = await runAt(0)
  expect([outcome.code, outcome.stderr]).toEqual([0, ''])
  await whole?.(changes)
  const step = Math.max(1, Math.floor(changes.length / rounds))
  let kills = 0
  for (let killAt = step; killAt <= changes.length; killAt += step) {
    restore()
    const round = await runAt(killAt)
    // The order of changes from several threads differs from run to run, so this run may end before it reaches the change at which it would
    // be killed.
    if (round.outcome.code !== null) continue
    kills++
    await check({ at: killAt, before: round.changes.at(-1)?.trim() ?? '' }, round.outcome.stdout)
  }
  expect(kills).toBeGreaterThan(0)
}

/** Prepares a task that can be run in the same place again and again. `restore` brings the place back to its initial state. */
export async function repeatable(at: Place, task: readonly string[] | RunToTheEnd) {
  const runTask: RunToTheEnd = typeof task === 'function' ? task : (env) => runAgent(task, { ...at, env: { ...at.env, ...env } })
  const kept = temporaryFolder('before')
  const copy = (from: string, to: string): void => {
    makeReadable(from)
    mkdirSync(to, { recursive: true })
    execFileSync('cp', ['-a', '--', `${from}/.`, to])
  }
  copy(at.cwd, join(kept, 'cwd'))
  copy(at.data, join(kept, 'data'))
  const restore = (): void => {
    for (const [folder, name] of [
      [at.cwd, 'cwd'],
      [at.data, 'data'],
    ] as const) {
      makeReadable(folder)
      for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true, force: true })
      copy(join(kept, name), folder)
    }
  }
  const count = join(kept, 'count')
  const run = async (env: Environment) => {
    rmSync(count, { force: true })
    const outcome = await runTask({ NODE_OPTIONS: `--import=${PRELOAD}`, KILL_COUNT: count, ...env })
    return { outcome, changes: readFileSync(count, 'utf8').trimEnd().split('\n') }
  }
  return { restore, run }
}

/** A layer has folders and files that only root can read: a work folder of the kernel, and the file that covers hidden ones. */
function makeReadable(below: string): void {
  execFileSync('find', [below, '(', '-type', 'd', '-o', '-type', 'f', ')', '!', '-perm', '-u+r', '-exec', 'chmod', 'u+rwX', '{}', ';'])
}

/**
 * Checks that the database is intact, that every session can be read, that each session's row matches the fold of its log, and that the
 * doctor finds no damage.
 */
export async function checkStore(data: string, killed: Killed): Promise<void> {
  const opened = await openStore(data)
  if (!opened.ok) throw new Error(`${JSON.stringify(killed)}: ${opened.failure.what}`)
  const store = opened.value
  try {
    for (const { sessionId } of store.sessions.list()) {
      const events = [...store.log(sessionId).read()]
      expect([killed, store.ledger.snapshot(sessionId, Number.MAX_SAFE_INTEGER)?.items]).toEqual([
        killed,
        foldAll(emptySession(sessionId), events).items,
      ])
    }
    const { trouble, onDisk, listed } = store.health()
    expect([killed, trouble, onDisk]).toEqual([killed, null, listed])
  } finally {
    store.close()
  }
  const db = new Database(join(data, 'countersign.db'), { readonly: true })
  expect([killed, db.pragma('integrity_check', { simple: true })]).toEqual([killed, 'ok'])
  db.close()
  expect([killed, await damageIn(data)]).toEqual([killed, []])
}

/** Returns the sentences in which the doctor reports damage. */
async function damageIn(dataFolder: string): Promise<readonly string[]> {
  const doctor = createDoctor({
    dataFolder,
    version: '1.0.0',
    now: Date.now,
    isShared: () => false,
    beforeRepair: async () => {},
    afterRepair: async () => {},
  })
  const { report, trouble } = await doctor.run(false)
  await doctor.close()
  return trouble ? [trouble.what] : (report?.findings ?? []).filter(isDamage).map(({ what }) => what)
}

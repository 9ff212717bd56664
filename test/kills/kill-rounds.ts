import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { openStore } from '../../main/store/open-store.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { runAgent, temporaryFolder } from '../headless/support/agent-process.ts'
import type { Place } from '../headless/support/model-place.ts'

const PRELOAD = join(import.meta.dirname, 'kill-at-write.ts')

export interface Killed {
  /** The number of the change of the disk before which the process died. */
  readonly at: number
  /** The change it was about to make. */
  readonly before: string
}

export interface KillRounds {
  readonly rounds: number
  /** After the one run that nothing kills. */
  readonly whole?: () => Promise<void>
  readonly check: (killed: Killed) => Promise<void>
}

/**
 * Runs the headless agent in the same place again and again, and kills it each time just before another change of the disk: `rounds` of
 * all that it makes, evenly spread. `check` looks at what is left.
 */
export async function killRounds(at: Place, args: readonly string[], { rounds, whole, check }: KillRounds): Promise<void> {
  const kept = await temporaryFolder('before')
  const copy = (from: string, to: string): void => cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  copy(at.cwd, join(kept, 'cwd'))
  copy(at.data, join(kept, 'data'))
  const restore = (): void => {
    for (const [folder, name] of [
      [at.cwd, 'cwd'],
      [at.data, 'data'],
    ] as const) {
      for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true, force: true })
      copy(join(kept, name), folder)
    }
  }
  const count = join(kept, 'count')
  const run = async (killAt: number) => {
    rmSync(count, { force: true })
    const env = { ...at.env, NODE_OPTIONS: `--import=${PRELOAD}`, KILL_AT: `${killAt}`, KILL_COUNT: count }
    const outcome = await runAgent(args, { ...at, env })
    return { outcome, changes: readFileSync(count, 'utf8').trimEnd().split('\n') }
  }
  const { outcome, changes } = await run(0)
  expect([outcome.code, outcome.stderr]).toEqual([0, ''])
  await whole?.()
  const step = Math.max(1, Math.floor(changes.length / rounds))
  for (let killAt = step; killAt <= changes.length; killAt += step) {
    restore()
    const round = await run(killAt)
    // Changes of several threads do not come in the same order each time, so that the last one may not come at all.
    if (round.outcome.code !== null) continue
    await check({ at: killAt, before: round.changes.at(-1)?.trim() ?? '' })
  }
}

/** The database is whole, every session reads, and each session's row is what its log folds to. */
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
}

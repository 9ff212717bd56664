import { tmpdir } from 'node:os'
import { basename, dirname } from 'node:path'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import { isIdle } from '../../shared/session/fold/run-state.ts'
import { retryWhileLocked } from '../agent/record/retry-while-locked.ts'
import type { Store } from '../store/store.ts'

/**
 * A rehearsal that has not been used for this long (one day, in ms) is considered over. Until then it can be continued, even after a
 * restart.
 */
const KEPT_MS = 24 * 60 * 60 * 1000

/**
 * Makes a throw-away copy of the sample project, which is trusted because Countersign provides it. Returns the copy's real path. First
 * removes the copies of rehearsals that are over. The sessions of those rehearsals can still be read and replayed.
 */
export async function freshSampleProject(store: Store, nowMs: number, parent = tmpdir()): Promise<string> {
  const { makeSample, removeSample } = await import('../providers/rehearsal/make-sample.ts')
  const over = store.sessions.list().filter((session) => isOver(session, nowMs))
  const inUse = new Set(store.sessions.list().flatMap((session) => (isOver(session, nowMs) ? [] : [session.folder])))
  const folder = await makeSample(parent)
  const old = new Set(over.flatMap((session) => (isBeside(session.folder, folder) && !inUse.has(session.folder) ? [session.folder] : [])))
  await Promise.all([...old].map(removeSample))
  await retryWhileLocked(() => store.folders.decide(folder, true))
  return folder
}

/** Whether nothing runs or waits in the session and the session has been unused for long enough. */
function isOver({ config, run, running, updatedAt }: SessionSummary, nowMs: number): boolean {
  return config.provider === 'rehearsal' && !running && isIdle({ run }) && updatedAt < nowMs - KEPT_MS
}

/**
 * Whether the folder has the name and location of Countersign's copies of the sample project. A rehearsal can also run in one of the user's
 * folders, which must not be removed.
 */
function isBeside(folder: string, sample: string): boolean {
  const name = (path: string): string | undefined => basename(path).split('-', 1)[0]
  return dirname(folder) === dirname(sample) && name(folder) === name(sample)
}

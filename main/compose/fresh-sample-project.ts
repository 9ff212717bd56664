import { tmpdir } from 'node:os'
import { basename, dirname } from 'node:path'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import { isIdle } from '../../shared/session/fold/run-state.ts'
import type { Store } from '../store/store.ts'

/** A rehearsal that was not used for this long counts as over: a day, in ms. Until then it can be continued, even after a restart. */
const KEPT_MS = 24 * 60 * 60 * 1000

/**
 * Makes a throw-away copy of the sample project, trusted because it is ours, and returns its real path. First removes the copies of
 * rehearsals that are over; their sessions can still be read and replayed.
 */
export async function freshSampleProject(store: Store, nowMs: number, parent = tmpdir()): Promise<string> {
  const { makeSample, removeSample } = await import('../providers/rehearsal/make-sample.ts')
  const over = store.sessions.list().filter((session) => isOver(session, nowMs))
  const inUse = new Set(store.sessions.list().flatMap((session) => (isOver(session, nowMs) ? [] : [session.folder])))
  const folder = await makeSample(parent)
  const old = new Set(over.flatMap((session) => (isBeside(session.folder, folder) && !inUse.has(session.folder) ? [session.folder] : [])))
  await Promise.all([...old].map(removeSample))
  store.folders.decide(folder, true)
  return folder
}

/** Nothing runs or waits in it. */
function isOver({ config, run, running, updatedAt }: SessionSummary, nowMs: number): boolean {
  return config.provider === 'rehearsal' && !running && isIdle({ run }) && updatedAt < nowMs - KEPT_MS
}

/** Only a folder with the name and location of our copies: a rehearsal can also run in a folder of the person's. */
function isBeside(folder: string, sample: string): boolean {
  const name = (path: string): string | undefined => basename(path).split('-', 1)[0]
  return dirname(folder) === dirname(sample) && name(folder) === name(sample)
}

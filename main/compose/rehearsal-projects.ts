import { tmpdir } from 'node:os'
import { basename, dirname } from 'node:path'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { Store } from '../store/store.ts'

/** A rehearsal that nobody has touched for so long is thought to be over, ms: a day. Until then it can be gone on with, also after a restart. */
const KEPT_MS = 24 * 60 * 60 * 1000

/**
 * A throw-away copy of the sample project, trusted since it is ours; its real path. Copies of rehearsals that are over go first: their
 * sessions stay, and can be read and replayed without them.
 */
export async function freshSample(store: Store, nowMs: number, parent = tmpdir()): Promise<string> {
  const { makeSample, removeSample } = await import('../providers/rehearsal/make-sample.ts')
  const over = store.sessions.list().filter((session) => isOver(session, nowMs))
  const inUse = new Set(store.sessions.list().flatMap((session) => (isOver(session, nowMs) ? [] : [session.folder])))
  const folder = await makeSample(parent)
  const old = new Set(over.flatMap((session) => (isBeside(session.folder, folder) && !inUse.has(session.folder) ? [session.folder] : [])))
  await Promise.all([...old].map(removeSample))
  store.folders.decide(folder, true)
  return folder
}

/** Nothing of it runs or waits. */
function isOver({ config, run, running, updatedAt }: SessionSummary, nowMs: number): boolean {
  return config.provider === 'rehearsal' && !running && (run === 'IDLE' || run === 'CLOSED') && updatedAt < nowMs - KEPT_MS
}

/** Only what bears the name and lies in the place of our copies: a rehearsal can be held in a folder of the person's own. */
function isBeside(folder: string, sample: string): boolean {
  const name = (path: string): string | undefined => basename(path).split('-', 1)[0]
  return dirname(folder) === dirname(sample) && name(folder) === name(sample)
}

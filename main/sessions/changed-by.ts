import type { SessionId } from '../../shared/lib/ids.ts'
import { type ChangedFile, createChangedFiles } from '../../shared/session/fold/views.ts'
import { createSlices } from '../agent/slices.ts'
import type { Store } from '../store/store.ts'

/** Events read at once. */
const BATCH = 50

/** The files that a session's steps changed, read in slices. */
export async function changedBy(store: Pick<Store, 'prepare' | 'ledger'>, sessionId: SessionId): Promise<readonly ChangedFile[]> {
  await store.prepare(sessionId)
  const changed = createChangedFiles()
  const slice = createSlices()
  for (let steps = store.ledger.changes(sessionId, 0, BATCH); ;) {
    for (const step of steps) changed.add(step)
    const last = steps.at(-1)
    if (!last || steps.length < BATCH) return changed.files()
    await slice()
    steps = store.ledger.changes(sessionId, last.seq, BATCH)
  }
}

import { type Blamer, createBlamer } from '../blame/blame.ts'
import { createDoctor, type Doctor } from '../store/doctor/doctor.ts'
import { tryAll } from '../../shared/lib/try-all.ts'
import { type StorageCleaner, createStorageCleaner } from '../cleaning/storage-cleaner.ts'
import { createHistorySearch, type HistorySearch, indexAll } from '../history/history-search.ts'
import { createSessionFlags, type FlaggedSessions } from '../sessions/session-flags.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { removeLayers } from './folder-copies.ts'
import { DELETING_MARKER } from '../store/cleaning/delete-sessions.ts'
import { createStorageThread, type StorageThread } from '../store/cleaning/storage-thread.ts'
import { removeLeftTranscripts, removeTranscripts } from '../store/hook-transcripts.ts'
import type { Store } from '../store/store.ts'

/** The parts that search, mark, delete and check the stored sessions. */
export interface StoredSessionParts {
  readonly history: HistorySearch
  readonly flags: FlaggedSessions
  readonly cleaner: StorageCleaner
  readonly doctor: Doctor
  readonly blamer: Blamer
}

/**
 * The thread that cleans this store. It first deletes what a killed process left half deleted, half copied or half imported. `watched`:
 * whether the thread also moves large database logs (WAL) into the database. Without windows, nobody notices if the main thread waits for
 * the disk, so the extra thread would only cost memory.
 */
export async function storageThreadOf(store: Store, dataFolder: string, watched: boolean): Promise<StorageThread> {
  const thread = createStorageThread(dataFolder)
  if (store.trouble() !== null) return thread
  let isClosed = false
  // A database checkpoint while the app closes must not start the thread again.
  if (watched) store.moveCheckpoints(async () => !isClosed && (await thread.ask({ kind: 'checkpoint' })).kind === 'done')
  await removeLeftTranscripts(dataFolder, store.claims.running)
  if (store.sessions.marked(DELETING_MARKER).size > 0) await thread.ask({ kind: 'unfinished' })
  const half = store.sessions.incomplete()
  if (half.length > 0) await thread.ask({ kind: 'delete', sessionIds: half })
  return {
    ask: thread.ask,
    close() {
      isClosed = true
      return thread.close()
    },
  }
}

/** `thread` is null if nothing is on disk in this run. */
export function storedSessionParts(
  store: Store,
  sessions: Sessions,
  thread: StorageThread | null,
  { dataFolder, version }: { readonly dataFolder: string; readonly version: string },
): StoredSessionParts {
  const history = createHistorySearch(thread && dataFolder)
  const flags = createSessionFlags(store.sessions)
  const cleaner = createStorageCleaner({
    thread,
    store,
    discard: sessions.discard,
    forgetTexts: history.forget,
    async removeCopies(sessionIds) {
      await removeLayers(dataFolder, sessionIds)
      await removeTranscripts(dataFolder, sessionIds)
    },
    isPinned: (sessionId) => flags.all().pinned.includes(sessionId),
  })
  const doctor = createDoctor({
    dataFolder: thread && dataFolder,
    version,
    now: Date.now,
    isShared: store.isShared,
    async beforeRepair(sessionIds) {
      await history.close()
      for (const sessionId of sessionIds) {
        const run = store.sessions.get(sessionId)?.run
        if (run === 'IDLE' || run === 'CLOSED') await sessions.discard(sessionId)
      }
    },
    afterRepair: async () => void indexAll(history),
  })
  return { history, flags, cleaner, doctor, blamer: createBlamer(thread && dataFolder) }
}

/** Ends the threads of these parts. */
export const closeStoredSessionParts = ({ doctor, blamer, history, cleaner }: StoredSessionParts): Promise<void> =>
  tryAll(doctor.close, blamer.close, history.close, cleaner.close)

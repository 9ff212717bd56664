import { type Blamer, createBlamer } from '../blame/blame.ts'
import { createDoctor, type Doctor } from '../store/doctor/doctor.ts'
import { tryAll } from '../../shared/lib/try-all.ts'
import { type StorageCleaner, createStorageCleaner } from '../cleaning/storage-cleaner.ts'
import { createHistorySearch, type HistorySearch, indexAll } from '../history/history-search.ts'
import { createSessionFlags, type FlaggedSessions } from '../sessions/session-flags.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { removeLayers } from './folder-copies.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import { type LayerOnDisk, layersOnDisk } from '../environment/layers/layers-on-disk.ts'
import { type BinnedLayer, createLayerBin, type LayerBin } from '../store/layers/layer-bin.ts'
import type { LayerChanges } from '../agent/ports/layers.ts'
import type { SettingsFile } from '../settings/settings-file.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { layerBinIn, layerPlacesIn } from '../host-process/here/folder-layers.ts'
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
  readonly layers: AppLayers
}

/** The layers on disk, and the bin for those of deleted sessions. */
interface AppLayers {
  readonly bin: LayerBin
  /** Removes a layer. Nothing may run in it. */
  remove(sessionId: SessionId): Promise<void>
  stored(): Promise<{ readonly layers: readonly StoredLayer[]; readonly binned: readonly BinnedLayer[] }>
}

/** `session` is null if the session of the layer is not stored. */
export interface StoredLayer extends LayerOnDisk {
  readonly session: SessionSummary | null
}

/** Size of the bin in bytes, unless the user has set a limit for all that is stored. */
const BIN_BYTES = 1_000_000_000

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

interface StoredPlace {
  readonly dataFolder: string
  readonly version: string
  readonly workspaces: Workspaces
  readonly settings: Pick<SettingsFile, 'current'>
}

/** `thread` is null if nothing is on disk in this run. */
export function storedSessionParts(
  store: Store,
  sessions: Sessions,
  thread: StorageThread | null,
  { dataFolder, version, workspaces, settings }: StoredPlace,
): StoredSessionParts {
  const history = createHistorySearch(thread && dataFolder)
  const flags = createSessionFlags(store.sessions)
  const bin = createLayerBin({
    folder: layerBinIn(dataFolder),
    changesOf: (session) => layerChangesOf(workspaces, session, dataFolder),
    blobs: store.blobs,
    limit: () => settings.current().storageQuota || BIN_BYTES,
    now: Date.now,
  })
  const cleaner = createStorageCleaner({
    thread,
    store,
    discard: sessions.discard,
    async binLayers(sessionIds) {
      for (const sessionId of sessionIds) {
        const session = store.sessions.get(sessionId)
        if (session?.parent === null && session.config.where?.kind === 'beside') await bin.keep(session)
      }
    },
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
  const layers: AppLayers = {
    bin,
    remove: (sessionId) => removeLayers(dataFolder, [sessionId]),
    async stored() {
      const found = await layersOnDisk(layerPlacesIn(dataFolder).layers)
      return {
        layers: found.map((layer) => ({ ...layer, session: store.sessions.get(layer.sessionId) })),
        binned: await bin.list(),
      }
    },
  }
  return { history, flags, cleaner, doctor, blamer: createBlamer(thread && dataFolder), layers }
}

async function layerChangesOf(workspaces: Workspaces, { folder, sessionId }: SessionSummary, dataFolder: string): Promise<LayerChanges> {
  const opened = await workspaces.open(folder)
  if (!opened.ok) throw new Error(opened.failure.what)
  const { layers, close } = opened.value
  try {
    if (layers !== null) return await layers.changes(sessionId)
    const isThere = (await layersOnDisk(layerPlacesIn(dataFolder).layers)).some((layer) => layer.sessionId === sessionId)
    if (isThere) throw new Error('Without its sandbox, Countersign cannot read what is in the layer.')
    return { version: 1, folder, files: [] }
  } finally {
    await close()
  }
}

/** Ends the threads of these parts. */
export const closeStoredSessionParts = ({ doctor, blamer, history, cleaner }: StoredSessionParts): Promise<void> =>
  tryAll(doctor.close, blamer.close, history.close, cleaner.close)

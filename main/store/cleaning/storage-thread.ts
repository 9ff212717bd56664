import type { StorageReport, Weight } from '../../../shared/api/storage.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { workerFile } from '../../environment/worker-file.ts'
import { createWorkerThread, type WorkerThread } from '../../environment/worker-thread.ts'

export type StorageJob =
  /** Requests the total size of all files on disk in bytes. */
  | { readonly kind: 'size' }
  | { readonly kind: 'measure' }
  | { readonly kind: 'weigh'; readonly sessionIds: readonly SessionId[] }
  | { readonly kind: 'delete'; readonly sessionIds: readonly SessionId[] }
  /** Completes deletions that a killed process began. */
  | { readonly kind: 'unfinished' }
  /** Removes unreferenced blobs: those in `blobs` or, if `blobs` is null, all except pictures. Blobs in `kept` are never removed. */
  | { readonly kind: 'sweep'; readonly blobs: readonly string[] | null; readonly kept: readonly string[] }
  | { readonly kind: 'vacuum' }
  /** Moves the journal into the file. Does not block writers. */
  | { readonly kind: 'checkpoint' }

export type StorageReply =
  | { readonly kind: 'measure'; readonly report: StorageReport }
  | {
      readonly kind: 'weigh'
      readonly weight: Weight
      /** The sessions, including all their subagents. */
      readonly sessionIds: readonly SessionId[]
      /** Blobs that only these sessions reference. */
      readonly blobs: readonly string[]
    }
  | { readonly kind: 'vacuum'; readonly more: boolean; readonly database: number }
  | { readonly kind: 'done'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly message: string }

export type StorageMessage = StorageJob & { readonly id: number }

/** Reads and cleans a data folder in its own thread, which starts with the first job and runs one job at a time. */
export type StorageThread = WorkerThread<StorageJob, StorageReply>

export function createStorageThread(dataFolder: string): StorageThread {
  return createWorkerThread(() => workerFile('storage-worker', import.meta.url), { dataFolder })
}

import { Worker } from 'node:worker_threads'
import type { StorageReport, Weight } from '../../../shared/api/storage.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { workerFile } from '../../environment/worker-file.ts'

export type StorageJob =
  | { readonly kind: 'measure' }
  | { readonly kind: 'weigh'; readonly sessionIds: readonly SessionId[] }
  | { readonly kind: 'delete'; readonly sessionIds: readonly SessionId[] }
  /** Deletes what a killed process left half deleted. */
  | { readonly kind: 'unfinished' }
  /** Removes unreferenced blobs: these, or all if `blobs` is null. Those in `kept` stay in any case. */
  | { readonly kind: 'sweep'; readonly blobs: readonly string[] | null; readonly kept: readonly string[] }
  | { readonly kind: 'vacuum' }

export type StorageReply =
  | { readonly kind: 'measure'; readonly report: StorageReport }
  | {
      readonly kind: 'weigh'
      readonly weight: Weight
      /** With all subagents. */
      readonly sessionIds: readonly SessionId[]
      /** Blobs that only they refer to. */
      readonly blobs: readonly string[]
    }
  | { readonly kind: 'vacuum'; readonly more: boolean; readonly database: number }
  | { readonly kind: 'done'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly message: string }

export interface StorageMessage {
  readonly id: number
  readonly job: StorageJob
}

/** Reads and cleans a data folder in a thread of its own, which starts with the first job and does one after the other. */
export interface StorageThread {
  ask(job: StorageJob): Promise<StorageReply>
  close(): Promise<void>
}

export function createStorageThread(dataFolder: string): StorageThread {
  let thread: Worker | null = null
  let nextId = 1
  const waiting = new Map<number, (reply: StorageReply) => void>()
  const ended = (message: string): void => {
    thread = null
    for (const resolve of waiting.values()) resolve({ kind: 'failed', message })
    waiting.clear()
  }
  const started = (): Worker => {
    if (thread) return thread
    const worker = new Worker(workerFile('storage-worker', import.meta.url), { workerData: { dataFolder } })
    worker.on('message', ({ id, reply }: { readonly id: number; readonly reply: StorageReply }) => {
      waiting.get(id)?.(reply)
      waiting.delete(id)
      if (waiting.size === 0) worker.unref()
    })
    worker.on('error', (error: Error) => thread === worker && ended(error.message))
    worker.on('exit', () => thread === worker && ended('The thread ended.'))
    thread = worker
    return worker
  }
  return {
    ask: (job) =>
      new Promise((resolve) => {
        const id = nextId++
        waiting.set(id, resolve)
        const worker = started()
        // Nothing else may keep the process running, which would otherwise end in the middle of the job.
        worker.ref()
        worker.postMessage({ id, job } satisfies StorageMessage)
      }),
    async close() {
      const running = thread
      ended('The app is closing.')
      await running?.terminate()
    },
  }
}

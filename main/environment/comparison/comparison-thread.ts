import { Worker } from 'node:worker_threads'
import type { FoundChanges } from '../../agent/ports/folder-comparison.ts'
import { workerFile } from '../worker-file.ts'
import type { FolderReading, ReadFolder } from './read-folder.ts'

/** A question to the worker, and its answer. Both have the same `id`. `before`: the first reading if the worker did not make it. */
export type ComparisonRequest =
  | ({ readonly kind: 'begin'; readonly id: number } & ReadFolder)
  | ({ readonly kind: 'end'; readonly id: number; readonly before?: FolderReading } & ReadFolder)
  | { readonly kind: 'drop'; readonly id: number }
/** Sent before the first question. It has no answer. */
export type Preparation = { readonly kind: 'prepare' } & ReadFolder
export type ComparisonAnswer =
  | { readonly kind: 'begun'; readonly id: number }
  | { readonly kind: 'ended'; readonly id: number; readonly found: FoundChanges }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }

/** A thread that compares one folder. */
export interface Thread {
  send(request: ComparisonRequest | Preparation): void
  /** Resolves with the answer, which is `failed` if the thread ends first. */
  ask(request: ComparisonRequest): Promise<ComparisonAnswer>
  stop(why: string): void
  isRunning(): boolean
}

export function startThread(): Thread {
  const worker = new Worker(workerFile('comparison-worker', import.meta.url))
  // An idle thread must not keep the process alive.
  worker.unref()
  const waiting = new Map<number, (answer: ComparisonAnswer) => void>()
  let isRunning = true
  const end = (why: string): void => {
    isRunning = false
    for (const [id, resolve] of waiting) resolve({ kind: 'failed', id, message: why })
    waiting.clear()
  }
  worker.on('message', (answer: ComparisonAnswer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', (error: Error) => end(error.message))
  worker.on('exit', () => end('its thread ended'))
  return {
    send: (request) => worker.postMessage(request),
    ask: (request) =>
      new Promise((resolve) => {
        if (!isRunning) return resolve({ kind: 'failed', id: request.id, message: 'its thread ended' })
        waiting.set(request.id, resolve)
        worker.ref()
        worker.postMessage(request)
      }),
    stop(why) {
      end(why)
      void worker.terminate()
    },
    isRunning: () => isRunning,
  }
}

/** Asks the thread. `thread` is an error if it could not be started. Never rejects. */
export const ask = async (thread: Thread | Error, request: ComparisonRequest): Promise<ComparisonAnswer> =>
  thread instanceof Error ? failed(request.id, thread) : thread.ask(request)

export const failed = (id: number, { message }: Error): ComparisonAnswer => ({ kind: 'failed', id, message })

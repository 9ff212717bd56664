import { Worker } from 'node:worker_threads'
import type { GrepMatch } from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import { workerFile } from '../worker-file.ts'

/** One search, by ripgrep or by our own code. */
export interface GrepRequest {
  readonly pattern: string
  readonly folder: string
  /** The only file of `folder` that is searched. Null if all are. */
  readonly file: string | null
  readonly caseSensitive: boolean
  readonly multiline: boolean
  readonly includePattern: string | null
  readonly contextLines: number
  readonly maxResults: number
  readonly timeoutMs: number
  /** When the search began, in ms since 1970. */
  readonly start: number
  readonly signal: AbortSignal | undefined
}

/** A request to the worker, and its answer. */
export type WorkerRequest = Omit<GrepRequest, 'signal' | 'timeoutMs'>
export type WorkerAnswer =
  | { readonly kind: 'found'; readonly matches: readonly GrepMatch[]; readonly capped: boolean }
  | { readonly kind: 'invalid'; readonly message: string }

/** Countersign's own search, used if there is no ripgrep. It runs in its own thread, so that no pattern can block anything else. */
export async function grepInWorker(request: GrepRequest): Promise<{ readonly matches: readonly GrepMatch[]; readonly capped: boolean }> {
  const { signal, timeoutMs, ...workerData } = request
  const worker = new Worker(workerFile('search-worker', import.meta.url), { workerData: workerData satisfies WorkerRequest })
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>()
  worker.once('message', resolve)
  worker.once('error', reject)
  const timer = setTimeout(() => reject(new EnvironmentFailure('ETIMEDOUT', `stopped after ${timeoutMs} ms`)), timeoutMs)
  const onAbort = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  try {
    const answer = await promise
    if (answer.kind === 'invalid') throw new EnvironmentFailure('EINVAL', answer.message)
    return answer
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}

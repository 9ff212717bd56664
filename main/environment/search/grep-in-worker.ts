import { Worker } from 'node:worker_threads'
import type { GrepMatch } from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import type { GrepRequest } from './grep-request.ts'

/** What the worker is told and what it answers. */
export type WorkerRequest = Omit<GrepRequest, 'signal' | 'timeoutMs'>
export type WorkerAnswer =
  | { readonly kind: 'found'; readonly matches: readonly GrepMatch[]; readonly capped: boolean }
  | { readonly kind: 'invalid'; readonly message: string }

/** Our own search where there is no ripgrep: in a thread of its own, so that no pattern can hold anything else up. */
export async function grepInWorker(request: GrepRequest): Promise<{ readonly matches: readonly GrepMatch[]; readonly capped: boolean }> {
  const { signal, timeoutMs, ...workerData } = request
  const worker = new Worker(workerFile(), { workerData: workerData satisfies WorkerRequest })
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

/** Beside us in the sources; when built, beside the shells, and we may lie in a chunk below them. */
function workerFile(): URL {
  const name = import.meta.url.endsWith('.ts')
    ? './search-worker.ts'
    : import.meta.url.includes('/chunks/')
      ? '../search-worker.js'
      : './search-worker.js'
  return new URL(name, import.meta.url)
}

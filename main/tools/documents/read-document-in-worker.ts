import { Worker } from 'node:worker_threads'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { workerFile } from '../../environment/worker-file.ts'
import type { Article } from './article.ts'
import type { SearchHit } from './duck-duck-go-hits.ts'

export type DocumentRequest =
  | { readonly kind: 'pdf'; readonly bytes: Uint8Array }
  | { readonly kind: 'article'; readonly html: string; readonly url: string }
  | { readonly kind: 'hits'; readonly html: string }

export interface DocumentResults {
  /** Null if the PDF cannot be read. */
  readonly pdf: string | null
  readonly article: Article
  /** Null if the search engine blocked the request as automated. */
  readonly hits: readonly SearchHit[] | null
}

/** Limits of time and memory (MB) for one document. Some pages of a few hundred kilobytes keep a parser busy for minutes. */
const TIME_LIMIT_MS = 15_000
const MAX_MEMORY_MB = 512

/**
 * Parses a document in a worker thread, so that it cannot block anything else. The failure is the end of a sentence that begins with the
 * document's name. Rejects with the signal's reason.
 */
export async function readDocumentInWorker<R extends DocumentRequest>(
  request: R,
  signal: AbortSignal,
  limitMs = TIME_LIMIT_MS,
): Promise<Result<DocumentResults[R['kind']], string>> {
  signal.throwIfAborted()
  const worker = new Worker(workerFile('document-worker', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Result<DocumentResults[R['kind']], string>>()
  worker.once('message', (answer: DocumentResults[R['kind']]) => resolve(ok(answer)))
  worker.once('error', () => resolve(failed('cannot be parsed: it is damaged or too large.')))
  const timer = setTimeout(() => resolve(failed(`was not parsed within ${limitMs / 1000} s.`)), limitMs)
  const stop = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

import { computeDiff, type ComputedDiff, type DiffRequest } from './compute-diff.ts'

/** A request with its number. Requests are answered in order. */
export interface DiffJob {
  readonly id: number
  readonly request: DiffRequest
}

export type DiffAnswer =
  | { readonly id: number; readonly kind: 'done'; readonly diff: ComputedDiff }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string }

addEventListener('message', ({ data }: MessageEvent<DiffJob>) => {
  const answer = (reply: DiffAnswer): void => postMessage(reply)
  try {
    answer({ id: data.id, kind: 'done', diff: computeDiff(data.request) })
  } catch (error) {
    answer({ id: data.id, kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})

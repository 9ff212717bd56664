import { type FileDiffMetadata, processFile } from '@pierre/diffs'
import { AT_ONCE, computeDiff, type ComputedDiff, type DiffRequest, fingerprint, recoloured } from './compute-diff.ts'
import type { DiffAnswer, DiffJob } from './diff-worker.ts'

interface Waiting {
  readonly resolve: (diff: ComputedDiff) => void
  readonly reject: (error: Error) => void
}

let worker: Worker | null = null
let lastId = 0
const waiting = new Map<number, Waiting>()

/** Requests the difference of two texts. Rejects if it cannot be computed. Every request gets an answer. */
export async function requestDiff(request: DiffRequest): Promise<ComputedDiff> {
  if ((request.before?.length ?? 0) + (request.after?.length ?? 0) <= AT_ONCE) return computeDiff(request)
  return recoloured(await (known(request) ?? compare(request)), request)
}

/**
 * Number of comparisons that are kept. The hunks, the counts and the lines of a long text are requested one after the other, and a kept
 * comparison serves all three requests.
 */
const KEPT = 3
const kept: { readonly request: DiffRequest; readonly diff: Promise<ComputedDiff> }[] = []

function known({ before, after, ignoresSpaces = false }: DiffRequest): Promise<ComputedDiff> | undefined {
  return kept.find(
    ({ request }) => request.before === before && request.after === after && (request.ignoresSpaces ?? false) === ignoresSpaces,
  )?.diff
}

function compare(request: DiffRequest): Promise<ComputedDiff> {
  worker ??= startWorker()
  const id = ++lastId
  const answer = Promise.withResolvers<ComputedDiff>()
  waiting.set(id, answer)
  worker.postMessage({ id, request } satisfies DiffJob)
  const one = { request, diff: answer.promise }
  kept.push(one)
  if (kept.length > KEPT) kept.shift()
  answer.promise.catch(() => kept.splice(0, kept.length, ...kept.filter((other) => other !== one)))
  return answer.promise
}

function startWorker(): Worker {
  const started = new Worker(new URL('./diff-worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<DiffAnswer>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.kind === 'done') asked?.resolve(data.diff)
    else asked?.reject(new Error(data.message))
  })
  started.addEventListener('error', (event) => {
    worker = null
    for (const { reject } of waiting.values()) reject(new Error(event.message || 'The worker that compares texts has ended.'))
    waiting.clear()
  })
  return started
}

/**
 * One hunk in the unified format, converted for the diff component. Null if nothing changes in the hunk. The component draws no fold above
 * the hunk, because it would count lines of earlier hunks as unchanged.
 */
export function hunkFile(path: string, language: string, patch: string): FileDiffMetadata | null {
  if (!/\n[+-]/u.test(patch)) return null
  const file = processFile(`--- file\n+++ file\n${patch}`, { isGitDiff: false })
  const hunk = file?.hunks[0]
  if (!file || !hunk) return null
  const first = { ...hunk, collapsedBefore: 0, splitLineStart: 0, unifiedLineStart: 0 }
  const counts = { splitLineCount: hunk.splitLineCount, unifiedLineCount: hunk.unifiedLineCount }
  return { ...file, ...counts, hunks: [first], name: path, lang: language, cacheKey: `${language}:${fingerprint(patch)}` }
}

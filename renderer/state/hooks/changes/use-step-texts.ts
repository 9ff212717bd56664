import { useMemo } from 'react'
import type { BlobText } from '../../../../shared/api/changes/changes.ts'
import type { BlobHash, SessionId } from '../../../../shared/lib/ids.ts'
import type { Effect, MovedFrom } from '../../../../shared/session/effects.ts'
import { withMoves } from '../../../../shared/session/touched-files.ts'
import { useSettled } from '../../../ui/hooks/use-settled.ts'
import type { StepTexts } from '../../../ui/diff/step-texts.ts'
import type { CallItem, Item } from '../../../../shared/session/state.ts'
import { useDesk, useSession } from '../../desk-context.ts'
import type { Desk } from '../../desk.ts'

export interface FileHashes {
  readonly path: string
  readonly shown: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
  /** The old path of a moved file, which had the content `before`. If absent, the file was not moved. */
  readonly movedFrom?: MovedFrom | undefined
}

const LOADING: StepTexts = { kind: 'loading' }
const NOTHING: StepTexts = { kind: 'loaded', files: [] }

/** Loads the texts of files by the hashes of their bytes. */
export function useStepTexts(sessionId: SessionId, files: readonly FileHashes[]): StepTexts {
  const desk = useDesk()
  const key = [sessionId, ...files.map(({ path, before, after }) => `${path}\0${before}\0${after}`)].join('\0')
  const start = (): Promise<StepTexts | string> =>
    load(desk, sessionId, files).catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  const { value, again } = useSettled(key, files.length === 0 ? null : start)
  if (files.length === 0) return NOTHING
  return typeof value === 'string' ? { kind: 'failed', message: value, retry: () => void again() } : (value ?? LOADING)
}

const NO_ITEMS: readonly Item[] = []

/** Returns the files that a request would change. If the request is a review, returns the files that its finished steps have changed. */
export function useRequestFiles(sessionId: SessionId, { effects }: Pick<CallItem, 'effects'>): readonly FileHashes[] {
  const items = useSession(sessionId, (session) => session.items, NO_ITEMS)
  return useMemo(() => {
    const review = effects.find((effect) => effect.kind === 'review')
    return review ? changedBy(items, review.calls) : filesOf(effects)
  }, [effects, items])
}

/**
 * Returns the files that these ledger steps changed, each of them once: with its version before the first step and its version after the
 * last step.
 */
function changedBy(items: readonly Item[], calls: readonly number[]): readonly FileHashes[] {
  const files = new Map<string, FileHashes>()
  for (const item of items) {
    if (item.kind !== 'call' || !calls.includes(item.step)) continue
    for (const { path, shown, before, after } of item.files)
      files.set(path, { path, shown, before: files.get(path)?.before ?? before, after })
  }
  return [...files.values()]
}

/** The files that the effects of a call write, delete or move, as pairs of hashes. */
export function filesOf(effects: readonly Effect[]): readonly FileHashes[] {
  return withMoves(
    effects.flatMap((effect): readonly FileHashes[] => {
      if (effect.kind === 'write') return [{ ...hashesOf(effect), after: effect.after, movedFrom: effect.movedFrom }]
      return effect.kind === 'delete' ? [{ ...hashesOf(effect), after: null }] : []
    }),
  )
}

const hashesOf = ({ path, shown, before }: Omit<FileHashes, 'after'>) => ({ path, shown, before })

async function load(desk: Desk, sessionId: SessionId, files: readonly FileHashes[]): Promise<StepTexts> {
  const text = (hash: BlobHash | null): Promise<BlobText | null> =>
    hash === null ? Promise.resolve(null) : desk.texts.get(sessionId, hash)
  const loaded = files.map(async ({ path, shown, before, after, movedFrom }) => {
    const [old, fresh] = await Promise.all([text(before), after === before ? null : text(after)])
    return { path, shown, before: old, after: after === before ? old : fresh, movedFrom: movedFrom?.shown }
  })
  return { kind: 'loaded', files: await Promise.all(loaded) }
}

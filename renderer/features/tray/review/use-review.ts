import { useCallback, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { canAmend } from '../../../../shared/session/amendment.ts'
import type { Effect } from '../../../../shared/session/effects.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { type Decided, type HunkPiece, NOTHING_DECIDED, type Piece } from '../../../state/stores/decisions.ts'
import type { HunkPlace } from '../../../ui/diff/compare/compute-diff.ts'
import { viewFile } from '../../../ui/diff/file-words.ts'
import type { FileTexts, StepTexts } from '../../../ui/diff/step-texts.ts'

/** A hunk that can be decided about, with how it is shown. */
export interface ShownHunk extends HunkPiece {
  readonly place: HunkPlace
}

/** One path of a request. `hunks` null: the texts are being compared, or the change has none and is decided as a whole. */
export interface ReviewedFile {
  readonly path: string
  readonly shown: string
  readonly file: FileTexts | null
  /** What lines do not show: "A link to a.txt.", new permissions. */
  readonly words: string | null
  readonly texts: { readonly before: string | null; readonly after: string | null } | null
  readonly hunks: readonly ShownHunk[] | null
  readonly pieces: readonly Piece[]
}

/** The parts of a request and what the person decided about them. */
export interface Review {
  readonly files: readonly ReviewedFile[]
  readonly pieces: readonly Piece[]
  readonly decided: Decided
  /** The part that keys act on. */
  readonly current: Piece | undefined
  /** Keys act on it, so they are shown. */
  readonly hasKeys: boolean
  readonly change: (next: (decided: Decided) => Decided) => void
  /** The hunks of a file are known. */
  readonly found: (path: string, hunks: readonly HunkPlace[]) => void
}

/** Null: this request can only be signed as a whole, or its texts are not loaded yet. `hasKeys`: false where several requests share a tray. */
export function useReview({ approval, effects }: CallItem, texts: StepTexts, hasKeys = true): Review | null {
  const { decisions } = useDesk()
  const id = approval?.approvalId
  const decided = useStore(decisions, (all) => (id && all.get(id)) ?? NOTHING_DECIDED)
  const [hunks, setHunks] = useState<ReadonlyMap<string, readonly HunkPlace[]>>(new Map())
  const found = useCallback(
    (path: string, places: readonly HunkPlace[]) =>
      setHunks((known) => (known.get(path) === places ? known : new Map(known).set(path, places))),
    [],
  )
  const change = useCallback(
    (next: (decided: Decided) => Decided) => {
      if (id) decisions.setState((all) => new Map(all).set(id, next(all.get(id) ?? NOTHING_DECIDED)), true)
    },
    [decisions, id],
  )
  const files = useMemo(
    () => (texts.kind === 'loaded' && canAmend(effects) ? reviewed(texts.files, effects, hunks) : null),
    [texts, effects, hunks],
  )
  if (files === null) return null
  const pieces = files.flatMap((file) => file.pieces)
  const current = pieces.find(({ key }) => key === decided.current) ?? pieces[0]
  return { files, pieces, decided, current, hasKeys, change, found }
}

function reviewed(
  texts: readonly FileTexts[],
  effects: readonly Effect[],
  hunks: ReadonlyMap<string, readonly HunkPlace[]>,
): readonly ReviewedFile[] {
  const withTexts = texts.map((file) => ({ ...reviewedFile(file, hunks.get(file.path)), words: modeWords(file.path, effects) }))
  const known = new Set(withTexts.map(({ path }) => path))
  const moved = new Set(effects.map((effect) => (effect.kind === 'write' ? effect.movedFrom?.path : undefined)))
  const others = effects.flatMap((effect): readonly ReviewedFile[] => {
    if (!('path' in effect) || known.has(effect.path) || moved.has(effect.path)) return []
    known.add(effect.path)
    const { path, shown } = effect
    return [{ path, shown, file: null, words: wordsOf(effect), texts: null, hunks: null, pieces: [{ kind: 'whole', key: path, path }] }]
  })
  return [...withTexts, ...others].toSorted((a, b) => (a.shown < b.shown ? -1 : 1))
}

function reviewedFile(file: FileTexts, places: readonly HunkPlace[] | undefined): ReviewedFile {
  const { path, shown } = file
  const view = viewFile(file.before, file.after)
  // A file that is deleted, or whose line endings change throughout, has no hunk that could be left out alone.
  const texts = view.kind === 'text' && view.after !== null && view.fact === null && !shown.endsWith('.ipynb') ? view : null
  if (!texts) return { path, shown, file, words: null, texts: null, hunks: null, pieces: [{ kind: 'whole', key: path, path }] }
  const hunks = (places ?? []).map((place, at): ShownHunk => {
    const { before, after, text } = place
    return { kind: 'hunk', key: `${path}\n${at}`, path, before, after, text, place }
  })
  return { path, shown, file, words: null, texts, hunks: places ? hunks : null, pieces: hunks }
}

/** The permissions that a file gets besides its content; null: they stay, or are those of any new file. */
function modeWords(path: string, effects: readonly Effect[]): string | null {
  const changed = effects.find((effect) => effect.kind === 'permissions' && effect.path === path)
  if (changed?.kind === 'permissions') return wordsOf(changed)
  const made = effects.find((effect) => effect.kind === 'write' && effect.path === path)
  const isProgram = made?.kind === 'write' && made.before === null && ((made.mode ?? 0) & 0o111) !== 0
  return isProgram ? `It can be run as a program (permissions ${(made.mode ?? 0).toString(8)}).` : null
}

function wordsOf(effect: Extract<Effect, { readonly path: string }>): string {
  switch (effect.kind) {
    case 'link':
      return effect.after === null ? 'The link is deleted.' : `A link to ${effect.after}.`
    case 'permissions':
      return `Permissions change from ${effect.before.toString(8)} to ${effect.after.toString(8)}.`
    case 'folder':
      return effect.change === 'created' ? 'A new, empty folder.' : 'The folder is deleted.'
    default:
      return ''
  }
}

import { treeWords } from '../../../ui/calls/call-words.ts'
import { useCallback, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { canAmend } from '../../../../shared/session/amendment.ts'
import type { ConflictRegion } from '../../../../shared/lib/line-conflict.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Effect } from '../../../../shared/session/effects.ts'
import { type GitChange, isGitRecord } from '../../../../shared/session/git-change.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { type FileHashes, filesOf } from '../../../state/hooks/changes/use-step-texts.ts'
import { type Decided, type HunkPiece, NOTHING_DECIDED, type Piece } from '../../../state/stores/review-decisions.ts'
import type { Sides } from '../../../tools/view/line-writers.tsx'
import type { HunkPlace } from '../../../ui/diff/compare/compute-diff.ts'
import { viewFile } from '../../../ui/diff/file-words.ts'
import { FILES_AT_ONCE } from '../../../ui/diff/step-diff.tsx'
import type { FileTexts, StepTexts } from '../../../ui/diff/step-texts.ts'

/** A hunk that can be decided, and how it is shown. */
export interface ShownHunk extends HunkPiece {
  readonly place: HunkPlace
}

/**
 * One path of a request. `hunks` is null if the texts are still being compared, or if the change has no hunks and is decided as a whole.
 */
export interface ReviewedFile {
  readonly path: string
  readonly shown: string
  readonly file: FileTexts | null
  /** Sentences about changes that the lines do not show, such as "A link to a.txt." or a sentence about new permissions. */
  readonly words: string | null
  readonly texts: { readonly before: string | null; readonly after: string | null } | null
  readonly hunks: readonly ShownHunk[] | null
  /** Lines that both the subagent and someone else changed. */
  readonly conflicts: readonly ConflictRegion[]
  readonly pieces: readonly Piece[]
}

/** What a command did to the repository. All changes to git's own files form a single part, which is accepted or rejected as a whole. */
export interface ReviewedGit {
  readonly change: GitChange
  readonly files: number
  readonly piece: Piece
}

/** The parts of a request and the user's decisions about them. */
export interface Review {
  readonly sessionId: SessionId
  /** The two versions of a file, used to find who wrote its lines. */
  readonly sidesOf: (path: string) => Sides
  /** Null if the command did not change the repository, or changed none of git's own files. */
  readonly git: ReviewedGit | null
  /** The files whose parts are shown. */
  readonly files: readonly ReviewedFile[]
  /** Number of files that are not shown yet. Each of them is one piece until `showMore` shows it. */
  readonly notShown: number
  readonly showMore: () => void
  readonly pieces: readonly Piece[]
  readonly decided: Decided
  /** The part that keys act on. */
  readonly current: Piece | undefined
  /** Whether keys act on this review. If so, the keys are shown. */
  readonly hasKeys: boolean
  readonly change: (next: (decided: Decided) => Decided) => void
  /** Called when the hunks of a file are known. */
  readonly found: (path: string, hunks: readonly HunkPlace[]) => void
}

/**
 * Null if this request can only be signed as a whole, or if its texts are not loaded yet. `hasKeys` is false if several requests share a
 * tray.
 */
export function useRequestReview(
  sessionId: SessionId,
  { approval, effects, copy }: CallItem,
  texts: StepTexts,
  hasKeys = true,
): Review | null {
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
  const [atOnce, setAtOnce] = useState(FILES_AT_ONCE)
  const proposed = useMemo(() => new Map(filesOf(effects).map((file) => [file.path, file])), [effects])
  const sidesOf = useCallback((path: string) => proposedSides(proposed.get(path), path), [proposed])
  const gitChange = copy?.outcome?.git
  const git = useMemo(() => (gitChange ? reviewedGit(gitChange, effects) : null), [gitChange, effects])
  const files = useMemo(() => {
    if (texts.kind !== 'loaded' || !canAmend(effects)) return null
    return reviewed(texts.files, effects).filter(({ shown }) => git === null || !isGitRecord(shown))
  }, [texts, effects, git])
  const at = files?.findIndex(({ path }) => isIn(path, decided.current)) ?? -1
  // The current file is always shown, because keys may have moved to a file that was not shown yet.
  const count = Math.max(atOnce, at + 1, files?.filter(({ conflicts }) => conflicts.length > 0).length ?? 0)
  const shown = useMemo(() => files?.slice(0, count).map((file) => withHunks(file, hunks.get(file.path))) ?? null, [files, count, hunks])
  if (files === null || shown === null) return null
  const pieces = [
    ...(git ? [git.piece] : []),
    ...shown.flatMap((file) => file.pieces),
    ...files.slice(count).map(({ path }) => wholePiece(path)),
  ]
  return {
    git,
    files: shown,
    notShown: Math.max(0, files.length - count),
    showMore: () => setAtOnce(count + FILES_AT_ONCE),
    pieces,
    current: currentOf(pieces, decided, at !== -1 || decided.current === git?.piece.key),
    ...{ sessionId, decided, hasKeys, change, found },
    sidesOf,
  }
}

function proposedSides(file: FileHashes | undefined, path: string): Sides {
  const before = { path: file?.movedFrom?.path ?? path, hash: file?.before ?? null }
  return { before, after: { proposes: 'This request adds the line. Nobody has written it yet.' } }
}

/** Null if the change touches none of git's own files. */
function reviewedGit(change: GitChange, effects: readonly Effect[]): ReviewedGit | null {
  const touched = new Set(effects.flatMap((effect) => ('path' in effect && isGitRecord(effect.shown) ? [effect.path] : [])))
  const [path, ...others] = touched
  return path === undefined ? null : { change, files: touched.size, piece: { kind: 'whole', key: path, path, others } }
}

const isIn = (path: string, key: string | null): boolean => key !== null && (key === path || key.startsWith(`${path}\n`))
const wholePiece = (path: string): Piece => ({ kind: 'whole', key: path, path })

/** The piece that keys act on. Undefined while the hunks of the current file are unknown, so that a key does not act on another piece. */
function currentOf(pieces: readonly Piece[], { current }: Decided, isKnown: boolean): Piece | undefined {
  return pieces.find(({ key }) => key === current) ?? (isKnown ? pieces.find(({ path }) => isIn(path, current)) : pieces[0])
}

function reviewed(texts: readonly FileTexts[], effects: readonly Effect[]): readonly ReviewedFile[] {
  const words = modeWords(effects)
  const regions = new Map(
    effects.flatMap((effect) => (effect.kind === 'write' && effect.conflict ? [[effect.path, effect.conflict.regions]] : [])),
  )
  const withTexts = texts.map((file) => reviewedFile(file, words.get(file.path) ?? null, regions.get(file.path) ?? []))
  const known = new Set(withTexts.map(({ path }) => path))
  const moved = new Set(effects.map((effect) => (effect.kind === 'write' ? effect.movedFrom?.path : undefined)))
  const others = effects.flatMap((effect): readonly ReviewedFile[] => {
    if (!('path' in effect) || known.has(effect.path) || moved.has(effect.path)) return []
    known.add(effect.path)
    const { path, shown } = effect
    return [{ path, shown, file: null, words: wordsOf(effect), texts: null, hunks: null, conflicts: [], pieces: [wholePiece(path)] }]
  })
  // Files with conflicts come first. Each conflict must be decided, so it must be among the files that are shown.
  const hasNone = ({ conflicts }: ReviewedFile): number => (conflicts.length > 0 ? 0 : 1)
  return [...withTexts, ...others].toSorted((a, b) => hasNone(a) - hasNone(b) || (a.shown < b.shown ? -1 : 1))
}

function reviewedFile(file: FileTexts, words: string | null, conflicts: readonly ConflictRegion[]): ReviewedFile {
  const { path, shown } = file
  const view = viewFile(file.before, file.after)
  // In a deleted file, a notebook, or a file with conflicts or with changes to all its line endings, no hunk can be rejected alone.
  const isMerged = conflicts.length === 0
  const texts = isMerged && view.kind === 'text' && view.after !== null && view.fact === null && !shown.endsWith('.ipynb') ? view : null
  return { path, shown, file, words, texts, conflicts, hunks: null, pieces: texts ? [] : [wholePiece(path)] }
}

function withHunks(file: ReviewedFile, places: readonly HunkPlace[] | undefined): ReviewedFile {
  if (file.texts === null || places === undefined) return file
  const { path } = file
  const hunks = places.map((place, at): ShownHunk => {
    const { before, after, text } = place
    return { kind: 'hunk', key: `${path}\n${at}`, path, before, after, text, place }
  })
  return { ...file, hunks, pieces: hunks }
}

/** Sentences about permission changes and about new executable files, by path. */
function modeWords(effects: readonly Effect[]): ReadonlyMap<string, string> {
  return new Map(
    effects.flatMap((effect): readonly (readonly [string, string])[] => {
      if (effect.kind === 'permissions') return [[effect.path, wordsOf(effect)]]
      const mode = effect.kind === 'write' && effect.before === null ? (effect.mode ?? 0) : 0
      return 'path' in effect && (mode & 0o111) !== 0
        ? [[effect.path, `It can be run as a program (permissions ${mode.toString(8)}).`]]
        : []
    }),
  )
}

function wordsOf(effect: Extract<Effect, { readonly path: string }>): string {
  switch (effect.kind) {
    case 'link':
      return effect.after === null ? 'The link is deleted.' : `A link to ${effect.after}.`
    case 'permissions':
      return `Permissions change from ${effect.before.toString(8)} to ${effect.after.toString(8)}.`
    case 'folder':
      if (effect.tree) return `A new folder that git ignores: ${treeWords(effect.tree)}.`
      return effect.change === 'created' ? 'A new, empty folder.' : 'The folder is deleted.'
    default:
      return ''
  }
}

import { naturalOrder } from '../../../../shared/lib/natural-order.ts'
import { treeWords } from '../../../ui/calls/call-words.ts'
import type { ConflictRegion } from '../../../../shared/lib/lines/line-conflict.ts'
import type { Effect } from '../../../../shared/session/effects.ts'
import {
  choiceOf,
  type Decided,
  hunkKey,
  type HunkPiece,
  kept,
  type PartChoice,
  type Piece,
  placeInKey,
  postponed,
  refused,
} from '../../../state/stores/review-decisions.ts'
import type { HunkPlace } from '../../../ui/diff/compare/compute-diff.ts'
import { viewFile } from '../../../ui/diff/file-words.ts'
import type { FileTexts } from '../../../ui/diff/step-texts.ts'

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
  /** Identifies both contents, so that a decision about a hunk never applies to the hunk of another change. */
  readonly version: string
  /** Sentences about changes that the lines do not show, such as "A link to a.txt." or a sentence about new permissions. */
  readonly words: string | null
  readonly texts: { readonly before: string | null; readonly after: string | null } | null
  readonly hunks: readonly ShownHunk[] | null
  /** Lines that both the subagent and someone else changed. */
  readonly conflicts: readonly ConflictRegion[]
  readonly pieces: readonly Piece[]
}

/** A file that is decided as a whole. */
export const wholePiece = (path: string): Piece => ({ kind: 'whole', key: path, path })

/** The files that a request would change, in display order. */
export function reviewed(texts: readonly FileTexts[], effects: readonly Effect[]): readonly ReviewedFile[] {
  const words = wordsByPath(effects)
  const regions = new Map(
    effects.flatMap((effect) => (effect.kind === 'write' && effect.conflict ? [[effect.path, effect.conflict.regions]] : [])),
  )
  const versions = new Map(
    effects.flatMap((effect) => (effect.kind === 'write' ? [[effect.path, `${effect.before ?? ''} ${effect.after}`]] : [])),
  )
  const withTexts = texts.map((file) => ({
    ...reviewedFile(file, words.get(file.path) ?? null, regions.get(file.path) ?? []),
    version: versions.get(file.path) ?? '',
  }))
  const known = new Set(withTexts.map(({ path }) => path))
  const moved = new Set(effects.map((effect) => (effect.kind === 'write' ? effect.movedFrom?.path : undefined)))
  const others = effects.flatMap((effect): readonly ReviewedFile[] => {
    if (!('path' in effect) || known.has(effect.path) || moved.has(effect.path)) return []
    known.add(effect.path)
    const { path, shown } = effect
    return [
      {
        path,
        shown,
        file: null,
        version: '',
        words: words.get(path) ?? '',
        texts: null,
        hunks: null,
        conflicts: [],
        pieces: [wholePiece(path)],
      },
    ]
  })
  // Files with conflicts come first. Each conflict must be decided, so it must be among the files that are shown.
  const hasNone = ({ conflicts }: ReviewedFile): number => (conflicts.length > 0 ? 0 : 1)
  return [...withTexts, ...others].toSorted((a, b) => hasNone(a) - hasNone(b) || naturalOrder(a.shown, b.shown))
}

function reviewedFile(file: FileTexts, words: string | null, conflicts: readonly ConflictRegion[]): Omit<ReviewedFile, 'version'> {
  const { path, shown } = file
  const view = viewFile(file.before, file.after)
  // In a deleted file, a notebook, or a file with conflicts or with changes to all its line endings, no hunk can be refused alone.
  const isMerged = conflicts.length === 0
  const texts = isMerged && view.kind === 'text' && view.after !== null && view.fact === null && !shown.endsWith('.ipynb') ? view : null
  return { path, shown, file, words, texts, conflicts, hunks: null, pieces: texts ? [] : [wholePiece(path)] }
}

/** The file with its hunks as parts of their own. `places` is null if its texts could not be compared. */
export function withHunks(file: ReviewedFile, places: readonly HunkPlace[] | null | undefined): ReviewedFile {
  if (file.texts === null || places === undefined) return file
  if (places === null) return { ...file, texts: null, pieces: [wholePiece(file.path)] }
  const { path, version } = file
  const hunks = places.map((place, at): ShownHunk => {
    const { before, after, text } = place
    return { kind: 'hunk', key: hunkKey(path, at, version), path, before, after, text, place }
  })
  return { ...file, hunks, pieces: hunks }
}

/** Ends the editing of a hunk of an earlier change, which can no longer be finished. */
export function withoutOldEditing(decided: Decided, files: readonly ReviewedFile[]): Decided {
  const { editing } = decided
  if (editing === null) return decided
  const place = placeInKey(editing)
  const isOpen = files.some(({ path, version }) => path === place.path && editing === hunkKey(path, place.hunk, version))
  return isOpen ? decided : { ...decided, editing: null }
}

/**
 * The same decisions for files whose hunks are decided one by one: what was decided about such a file as a whole, in a list that folds equal
 * changes, holds for each of its hunks.
 */
export function byHunks(decided: Decided, files: readonly ReviewedFile[]): Decided {
  const whole = files.filter(({ path, hunks }) => hunks !== null && hunks.length > 0 && decided.refused.has(path))
  if (whole.length === 0) return decided
  const keysOf = (wanted: PartChoice): readonly string[] =>
    whole.flatMap(({ path, pieces }) => (choiceOf(decided, path) === wanted ? pieces.map(({ key }) => key) : []))
  const paths = whole.map(({ path }) => path)
  return postponed(refused(kept(decided, paths), keysOf('refused')), keysOf('later'))
}

/** By path: what the lines of the file do not show. A path has several effects if one kind of entry replaces another. */
function wordsByPath(effects: readonly Effect[]): ReadonlyMap<string, string> {
  const files = new Set(effects.flatMap((effect) => (effect.kind === 'write' || effect.kind === 'delete' ? [effect.path] : [])))
  const words = new Map<string, string>()
  for (const effect of effects) {
    if (!('path' in effect)) continue
    const own = wordsOf(effect, files.has(effect.path))
    const earlier = words.get(effect.path)
    if (own !== '') words.set(effect.path, earlier === undefined ? own : `${earlier} ${own}`)
  }
  return words
}

/** `isBesideFile`: whether a file at the same path is written or deleted, which is shown by its lines. */
function wordsOf(effect: Extract<Effect, { readonly path: string }>, isBesideFile: boolean): string {
  switch (effect.kind) {
    case 'link':
      if (effect.after === null) return isBesideFile ? `It replaces a link to ${effect.before}.` : 'The link is deleted.'
      if (isBesideFile) return `A link to ${effect.after} replaces it.`
      return effect.before === null ? `A link to ${effect.after}.` : `The link changes from ${effect.before} to ${effect.after}.`
    case 'permissions':
      return `Permissions change from ${effect.before.toString(8)} to ${effect.after.toString(8)}.`
    case 'folder':
      if (effect.tree) return `A new folder that git ignores: ${treeWords(effect.tree)}.`
      return effect.change === 'created' ? 'A new, empty folder.' : 'The folder is deleted.'
    case 'write': {
      const mode = effect.before === null ? (effect.mode ?? 0) : 0
      return (mode & 0o111) === 0 ? '' : `It can be run as a program (permissions ${mode.toString(8)}).`
    }
    default:
      return ''
  }
}

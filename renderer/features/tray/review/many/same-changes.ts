import type { HunkPlace } from '../../../../ui/diff/compare/compute-diff.ts'
import type { Decided } from '../../../../state/stores/review-decisions.ts'
import { type ReviewedFile, wholePiece } from '../reviewed-files.ts'

/** A request with at least this many files is shown as a list in which equal changes are folded. */
export const MANY_FILES = 20

/** The smallest number of files whose equal changes are folded. */
const FEWEST_ALIKE = 4

/** Files that are decided together with one check box. */
export interface Folder {
  /** Path with its trailing slash. Empty for the project folder itself. */
  readonly name: string
  readonly files: readonly ReviewedFile[]
}

/** The same change in several files. Each of the files is kept or refused as a whole. */
export interface SameChange {
  /** The file whose lines are shown for all of them. */
  readonly first: ReviewedFile
  readonly count: number
  readonly folders: readonly Folder[]
}

export interface ArrangedFiles {
  readonly same: readonly SameChange[]
  readonly others: readonly ReviewedFile[]
}

/**
 * Folds the files with the same change. The change in the most files comes first. A file of which a part was decided is not folded, because
 * that decision would be lost.
 */
export function arranged(files: readonly ReviewedFile[], decided: Decided): ArrangedFiles {
  const byChange = Map.groupBy(files, (file) => (isDecidedInParts(file, decided) ? null : changeOf(file)))
  byChange.delete(null)
  const folded = [...byChange.values()].filter((own) => own.length >= FEWEST_ALIKE).toSorted((a, b) => b.length - a.length)
  const isFolded = new Set(folded.flat())
  return { same: folded.flatMap(sameChange), others: files.filter((file) => !isFolded.has(file)) }
}

function isDecidedInParts({ path, pieces }: ReviewedFile, { refused, edits, drafts, editing }: Decided): boolean {
  const whole = wholePiece(path).key
  return pieces.some(({ key }) => key !== whole && (refused.has(key) || edits.has(key) || drafts.has(key) || editing === key))
}

function sameChange(files: readonly ReviewedFile[]): readonly SameChange[] {
  const folders = inFolders(files.map((file) => ({ ...file, pieces: [wholePiece(file.path)] })))
  const first = folders[0]?.files[0]
  return first ? [{ first, count: files.length, folders }] : []
}

/**
 * The text that is equal for files with the same change. Null if the change cannot be shown as lines alone. It consists of the exact lines,
 * not of their fingerprints, because files that are folded are signed unseen.
 */
function changeOf({ file, hunks, words }: ReviewedFile): string | null {
  if (file === null || hunks === null || hunks.length === 0 || words !== null || file.movedFrom !== undefined) return null
  const kind = file.before === null ? 'new' : 'changed'
  return [kind, ...hunks.map(({ place }) => exactChange(place))].join('\n@@\n')
}

/**
 * The changed lines and where they are, because the same lines can mean something else elsewhere: in which function and, for lines that are
 * only added, at the top, at the end, or below a certain line.
 */
function exactChange({ patch, removed, name }: HunkPlace): string {
  const lines = changedLines(patch)
  if (removed > 0) return [name ?? '', ...lines].join('\n')
  const [, ...all] = patch.replace(/\n$/u, '').split('\n')
  const above = all[all.indexOf(lines[0] ?? '') - 1]
  const isBeforeOthers = all.slice(all.lastIndexOf(lines.at(-1) ?? '') + 1).some((line) => line.startsWith(' '))
  const place = above === undefined ? 'top' : isBeforeOthers ? `below${above}` : 'end'
  return [name ?? '', place, ...lines].join('\n')
}

function changedLines(patch: string): readonly string[] {
  const [, ...lines] = patch.replace(/\n$/u, '').split('\n')
  return lines.filter((line, at) => /^[+-]/u.test(line) || (line.startsWith('\\') && /^[+-]/u.test(lines[at - 1] ?? '')))
}

/** The hunk in the unified format without the unchanged lines around it, which differ from file to file. */
export function withoutContext({ patch, before, after }: HunkPlace): string {
  const old = `${before[0] + (before[1] > before[0] ? 1 : 0)},${before[1] - before[0]}`
  const fresh = `${after[0] + (after[1] > after[0] ? 1 : 0)},${after[1] - after[0]}`
  return [`@@ -${old} +${fresh} @@`, ...changedLines(patch), ''].join('\n')
}

/** The files by the first folder in which they differ. */
function inFolders(files: readonly ReviewedFile[]): readonly Folder[] {
  const shared = sharedFolder(files.map(({ shown }) => shown))
  const byFolder = Map.groupBy(files, ({ shown }) => {
    const end = shown.indexOf('/', shared.length)
    return end < 0 ? shared : shown.slice(0, end + 1)
  })
  return [...byFolder].map(([name, own]) => ({ name, files: own })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The folder that contains all the paths, with its trailing slash. Empty if there is none. */
function sharedFolder(paths: readonly string[]): string {
  const [first = ''] = paths
  let shared = first.slice(0, first.lastIndexOf('/') + 1)
  while (!paths.every((path) => path.startsWith(shared))) shared = shared.slice(0, shared.lastIndexOf('/', shared.length - 2) + 1)
  return shared
}

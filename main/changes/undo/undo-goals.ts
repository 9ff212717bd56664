import type { FileChange, FolderChange } from '../../../shared/session/file-change.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { UncoveredPath, UndoTarget } from '../../../shared/session/rollback.ts'
import type { Change } from './read-changes.ts'

/**
 * A regular file or a link. Null if there is neither. `hash`: for a link, the hash of its target. `mode`: permission bits, or null if they
 * are unknown or it is a link.
 */
export type FileState = {
  readonly hash: BlobHash
  readonly bytes: number
  readonly mode: number | null
  /** If absent, it is a regular file. */
  readonly kind?: 'link'
} | null

/** What the log says about one file that an undo concerns. */
export interface Intention {
  readonly path: string
  readonly shown: string
  /** `goal`: the state in which the undo should leave the file. `last`: the state in which the steps left it. */
  readonly goal: FileState
  readonly last: FileState
  /** Numbers of the steps whose changes are undone. */
  readonly steps: readonly number[]
  /** Whether someone else changed the file between two of these steps. */
  readonly hasGap: boolean
  /** Whether it changed while a background command ran. Someone else may have changed it then. */
  readonly inBackground: boolean
  /** The later steps that changed the file, by number. Empty unless a single step is undone. */
  readonly later: readonly number[]
}

/**
 * What the log says about one folder. `goal`: the permission bits that the undo should restore. `last`: the permission bits that the steps
 * left. Either is null if the folder does not exist in that state.
 */
export interface FolderIntention {
  readonly path: string
  readonly shown: string
  readonly goal: number | null
  readonly last: number | null
}

export interface UndoGoals {
  readonly files: readonly Intention[]
  readonly folders: readonly FolderIntention[]
  readonly uncovered: readonly UncoveredPath[]
}

/** The files that an undo concerns, derived only from the log. Git's own files are never among them. */
export function undoGoalsOf(changes: readonly Change[], target: UndoTarget): UndoGoals {
  const isMeant = meantBy(changes, target)
  const meant = changes.filter(isMeant)
  const later = target.kind === 'step' ? changes.filter((change) => !isMeant(change) && change.seq > (meant[0]?.seq ?? Infinity)) : []
  const all = [...filesByPath(meant)]
  const folders = [...foldersByPath(meant)].filter(([path]) => !isGitOwn(path)).map(([path, own]) => folderIntentionOf(path, own))
  const laterFiles = filesByPath(later)
  const git = all.filter(([path]) => isGitOwn(path))
  const files = all
    .filter(([path]) => !isGitOwn(path))
    .map(([path, own]) => intentionOf(path, own, target.kind === 'step' ? (laterFiles.get(path) ?? []) : []))
  const steps = git.flatMap(([, own]) => own.map(({ step }) => step))
  const gitUncovered = git.length === 0 ? [] : [{ shown: '.git', why: 'An undo never changes git’s own files.', step: Math.min(...steps) }]
  return { files, folders, uncovered: distinct([...meant.flatMap(({ uncovered }) => uncovered), ...gitUncovered]) }
}

function meantBy(changes: readonly Change[], target: UndoTarget): (change: Change) => boolean {
  if (target.kind === 'step') return ({ step, rollbackId }) => step === target.step && rollbackId === null
  const isAfter =
    target.kind === 'to'
      ? ({ step, rollbackId }: Change) => (rollbackId === null ? step > target.step : step >= target.step)
      : ({ rollbackId }: Change) => rollbackId === target.rollbackId
  const first = changes.find(isAfter)?.seq ?? Infinity
  return ({ seq }) => seq >= first
}

interface Own {
  readonly step: number
  readonly file: FileChange
  readonly inBackground: boolean
}

function filesByPath(changes: readonly Change[]): Map<string, readonly Own[]> {
  const all = changes.flatMap(({ step, files, madeBy }) =>
    files.map((file) => ({ step, file, inBackground: madeBy?.inBackground === true })),
  )
  return Map.groupBy(all, ({ file }) => file.path)
}

const foldersByPath = (changes: readonly Change[]): Map<string, readonly FolderChange[]> =>
  Map.groupBy(
    changes.flatMap(({ folders }) => folders),
    ({ path }) => path,
  )

function folderIntentionOf(path: string, own: readonly FolderChange[]): FolderIntention {
  const first = own[0]
  const newest = own.at(-1)
  if (!first || !newest) throw new Error(`There is no change to ${path}.`)
  return { path, shown: first.shown, goal: first.before, last: newest.after }
}

function intentionOf(path: string, own: readonly Own[], later: readonly Own[]): Intention {
  const files = own.map(({ file }) => file)
  const first = files[0]
  const newest = files.at(-1)
  if (!first || !newest) throw new Error(`There is no change to ${path}.`)
  const hasGap = files.some((file, index) => {
    const next = files[index + 1]
    return next !== undefined && !sameState(stateAfter(file), stateBefore(next))
  })
  return {
    path,
    shown: first.shown,
    goal: stateBefore(first),
    last: stateAfter(newest),
    hasGap,
    inBackground: own.some(({ inBackground }) => inBackground),
    steps: [...new Set(own.map(({ step }) => step))],
    later: [...new Set(later.map(({ step }) => step))],
  }
}

export const stateBefore = ({ before, beforeBytes, beforeMode, beforeKind }: FileChange): FileState =>
  before && { hash: before, bytes: beforeBytes, mode: beforeMode, ...(beforeKind && { kind: beforeKind }) }
export const stateAfter = ({ after, afterBytes, afterMode, afterKind }: FileChange): FileState =>
  after && { hash: after, bytes: afterBytes, mode: afterMode, ...(afterKind && { kind: afterKind }) }

/** Whether the kind, content and permissions are equal. */
export function sameState(a: FileState, b: FileState): boolean {
  if (a === null || b === null) return a === b
  return a.kind === b.kind && a.hash === b.hash && (a.mode === b.mode || a.mode === null || b.mode === null)
}

const isGitOwn = (path: string): boolean => path.split(/[/\\]/u).includes('.git')

function distinct(paths: readonly UncoveredPath[]): readonly UncoveredPath[] {
  return [...new Map(paths.map((path) => [`${path.step} ${path.shown} ${path.why}`, path])).values()]
}

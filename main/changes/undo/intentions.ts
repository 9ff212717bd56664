import type { FileChange } from '../../../shared/session/file-change.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { UncoveredPath, UndoTarget } from '../../../shared/session/rollback.ts'
import type { Change } from './read-changes.ts'

/** A regular file; null: none. `mode`: permission bits; null: unknown. */
export type FileState = { readonly hash: BlobHash; readonly bytes: number; readonly mode: number | null } | null

/** What the log says of one file that an undo is about. */
export interface Intention {
  readonly path: string
  readonly shown: string
  /** As the undo should leave it, and as the steps have left it. */
  readonly goal: FileState
  readonly last: FileState
  /** Steps whose changes are taken back. */
  readonly steps: readonly number[]
  /** Someone else changed it between two of those. */
  readonly hasGap: boolean
  /** For the undo of one step: later steps that changed it. */
  readonly later: readonly number[]
}

export interface Intentions {
  readonly files: readonly Intention[]
  readonly uncovered: readonly UncoveredPath[]
}

/** Which files an undo is about, from the log alone. Git's own files never are. */
export function intentionsOf(changes: readonly Change[], target: UndoTarget): Intentions {
  const isMeant = meantBy(changes, target)
  const meant = changes.filter(isMeant)
  const later = target.kind === 'step' ? changes.filter((change) => !isMeant(change) && change.seq > (meant[0]?.seq ?? Infinity)) : []
  const all = [...filesByPath(meant)]
  const laterFiles = filesByPath(later)
  const git = all.filter(([path]) => isGitOwn(path))
  const files = all
    .filter(([path]) => !isGitOwn(path))
    .map(([path, own]) => intentionOf(path, own, target.kind === 'step' ? (laterFiles.get(path) ?? []) : []))
  const steps = git.flatMap(([, own]) => own.map(({ step }) => step))
  const gitUncovered = git.length === 0 ? [] : [{ shown: '.git', why: 'An undo never changes git’s own files.', step: Math.min(...steps) }]
  return { files, uncovered: distinct([...meant.flatMap(({ uncovered }) => uncovered), ...gitUncovered]) }
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
}

function filesByPath(changes: readonly Change[]): Map<string, readonly Own[]> {
  const all = changes.flatMap(({ step, files }) => files.map((file) => ({ step, file })))
  return Map.groupBy(all, ({ file }) => file.path)
}

function intentionOf(path: string, own: readonly Own[], later: readonly Own[]): Intention {
  const files = own.map(({ file }) => file)
  const [first, newest] = [files[0], files.at(-1)]
  if (!first || !newest) throw new Error(`Nothing changed ${path}.`)
  const hasGap = files.some((file, index) => {
    const next = files[index + 1]
    return next !== undefined && !sameState(stateAfter(file), stateBefore(next))
  })
  return {
    ...{ path, shown: first.shown, goal: stateBefore(first), last: stateAfter(newest), hasGap },
    steps: [...new Set(own.map(({ step }) => step))],
    later: [...new Set(later.map(({ step }) => step))],
  }
}

const stateBefore = ({ before, beforeBytes, beforeMode }: FileChange): FileState =>
  before && { hash: before, bytes: beforeBytes, mode: beforeMode }
const stateAfter = ({ after, afterBytes, afterMode }: FileChange): FileState => after && { hash: after, bytes: afterBytes, mode: afterMode }

/** Same content and permissions. */
export function sameState(a: FileState, b: FileState): boolean {
  if (a === null || b === null) return a === b
  return a.hash === b.hash && (a.mode === b.mode || a.mode === null || b.mode === null)
}

const isGitOwn = (path: string): boolean => path.split(/[/\\]/u).includes('.git')

function distinct(paths: readonly UncoveredPath[]): readonly UncoveredPath[] {
  return [...new Map(paths.map((path) => [`${path.step} ${path.shown} ${path.why}`, path])).values()]
}

import type { GitFile, GitSide } from '../../../shared/api/changes/git.ts'
import type { BlobHash, ToolCallId } from '../../../shared/lib/ids.ts'
import { isGitRecord } from '../../../shared/session/git-change.ts'
import type { MovedFrom } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { type MakingCommand, linkOf, makersOf, modesOf } from '../../../shared/session/fold/changed-files.ts'
import { filesOf } from '../../state/hooks/changes/use-step-texts.ts'
import type { FileVersion } from '../../state/hooks/changes/use-blame.ts'
import type { SessionFile } from '../../state/hooks/changes/use-changed-files.ts'
import type { DiskChanges } from '../../state/hooks/changes/use-disk-changes.ts'
import { byFolder } from '../../ui/diff/by-folder.ts'
import { withMoves } from '../../../shared/session/touched-files.ts'

/** A file under review, before and after the step or session that is shown. */
export interface ReviewFile {
  /** Identifies the file in the list. */
  readonly path: string
  readonly absolute: string
  readonly shown: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
  /** Steps of this session that touched the file. */
  readonly steps: readonly number[]
  /** Lines counted when the file was written. Null if they must be counted from the texts. */
  readonly lines: { readonly added: number; readonly removed: number } | null
  /** The old path of a moved file. Undefined if the step did not move it. */
  readonly movedFrom?: MovedFrom | undefined
  /** Permission bits before and after, if they differ. */
  readonly modes?: readonly [number, number] | undefined
  /** Whether the file is or was a symbolic link. */
  readonly isLink?: true | undefined
  /** Types of the subagents that changed the file. */
  readonly agents?: readonly string[] | undefined
  /** The commands that changed the file. */
  readonly madeBy: readonly MakingCommand[]
  /** Set for a file of the repository. Its versions are not stored. */
  readonly git?: (GitFile & { readonly side: GitSide }) | undefined
  /** Set if the change is only proposed, so that nobody has written `after` yet. */
  readonly isProposed?: true | undefined
  /** Set if `after` is the version on disk, which may not be stored. */
  readonly isOnDisk?: true | undefined
}

/**
 * What is reviewed: a step, its turn, what others changed before the step, everything since the session began, or the folder as it is
 * now.
 */
export type Reviewed =
  | { readonly kind: 'step' | 'turn' | 'outside'; readonly call: ToolCallId }
  | { readonly kind: 'session' }
  | { readonly kind: 'folder' }

/** The files that a step has changed. While the step waits for a signature, the files that it would change. */
export function filesOfStep(call: CallItem): readonly ReviewFile[] {
  if (isProposed(call)) {
    const proposed = filesOf(call.effects).filter(({ shown }) => !isGitRecord(shown))
    return proposed.map((file) => ({ ...file, absolute: file.path, steps: [call.step], lines: null, madeBy: [], isProposed: true }))
  }
  const files = call.files.map(({ path, shown, before, after, lines, movedFrom, ...file }) => {
    const own = { path, absolute: path, shown, before, after, lines, movedFrom, ...modesOf(file), ...linkOf(file) }
    return { ...own, steps: [call.step], madeBy: makersOf(call.madeBy) }
  })
  return withMoves(files)
}

/** Whether the changes of this step are only proposed: it waits for a signature. */
export function isProposed({ status, files }: Pick<CallItem, 'status' | 'files'>): boolean {
  return status === 'waiting' && files.length === 0
}

export function filesOfSession(files: readonly SessionFile[]): readonly ReviewFile[] {
  return files.map((file) => ({ ...file, absolute: file.path }))
}

/** The session's files, from before its first step to the version on disk now. */
export function filesOnDisk(files: readonly SessionFile[], since: DiskChanges): readonly ReviewFile[] {
  return filesOfSession(files).flatMap((file) => {
    const now = since.get(file.absolute)
    const after = now === undefined ? file.after : now
    return after === file.before && !file.modes
      ? []
      : [{ ...file, after, lines: now === undefined ? file.lines : null, ...(!file.isLink && { isOnDisk: true as const }) }]
  })
}

/** The hashes of both versions of a file. */
export interface Versions {
  readonly base: BlobHash | null
  readonly after: BlobHash | null
}

/** The versions of a file under review, for finding who wrote their lines. The old version of a moved file has the old path. */
export function sidesOf(
  { absolute, movedFrom, git, isOnDisk }: ReviewFile,
  { base, after }: Versions,
): Record<'before' | 'after', FileVersion> {
  return {
    before: { path: movedFrom?.path ?? absolute, hash: base },
    after: { path: absolute, hash: after, isOnDisk: isOnDisk ?? git?.side === 'unstaged' },
  }
}

/** Sorts the files as the list shows them: by folder. Files of the repository keep their order. */
export function inOrder(files: readonly ReviewFile[]): readonly ReviewFile[] {
  return files.some(({ git }) => git) ? files : byFolder(files).flatMap(({ files: own }) => own)
}

/** The current file and hunk. `hunk` is -1 for the last hunk while the number of hunks is unknown. */
export interface Position {
  readonly path: string | null
  readonly hunk: number
}

export type Move = 'next-hunk' | 'previous-hunk' | 'next-file' | 'previous-file'

/**
 * Moves by a hunk or a file. The position after the last hunk of a file is the first hunk of the next file. At both ends of the list, the
 * position does not change.
 */
export function moved(at: Position, move: Move, order: readonly string[], hunks: number): Position {
  const here = at.path === null ? -1 : order.indexOf(at.path)
  const next = order[here + 1]
  const previous = here > 0 ? order[here - 1] : undefined
  switch (move) {
    case 'next-hunk':
      return at.hunk + 1 < hunks ? { ...at, hunk: at.hunk + 1 } : next === undefined ? at : { path: next, hunk: 0 }
    case 'previous-hunk':
      return at.hunk > 0 ? { ...at, hunk: at.hunk - 1 } : previous === undefined ? at : { path: previous, hunk: -1 }
    case 'next-file':
      return next === undefined ? at : { path: next, hunk: 0 }
    case 'previous-file':
      return previous === undefined ? at : { path: previous, hunk: 0 }
  }
}

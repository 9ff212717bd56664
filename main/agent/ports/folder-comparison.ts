import type { Disposable } from '../../../shared/lib/disposable.ts'

/**
 * A file or link in the folder, before or after the command. Null if there is none. `mode`: permission bits. For a link, `mode` is null and
 * `bytes` is its target.
 */
export type ComparedFile = { readonly bytes: Uint8Array; readonly mode: number | null } | null

export interface FoundChange {
  /** Relative to the folder, with `/` as the separator. */
  readonly path: string
  readonly before: ComparedFile
  readonly after: ComparedFile
}

/** A folder's permission bits before and after the command. Null if the folder does not exist. */
export interface FoundFolder {
  readonly path: string
  readonly before: number | null
  readonly after: number | null
}

export interface FoundChanges {
  /** Sorted by path. */
  readonly changes: readonly FoundChange[]
  readonly folders: readonly FoundFolder[]
  /** The number of files that were compared. */
  readonly files: number
  /** What was not compared because of the budget, as sentences. Empty if everything was compared. */
  readonly leftOut: readonly string[]
}

/**
 * Finds what a command that runs for real changed in its folder. Ignored files, `.git` and our own data are not compared. The budget limits files,
 * bytes and time, so that a huge folder delays a command by at most a second or two.
 */
export interface FolderComparison extends Disposable {
  /** Gets ready in the background, so that the next `begin` is fast. Never throws. */
  prepare(): void
  /** Reads the folder before the command. Never rejects. */
  begin(): Promise<ComparisonRun>
}

export interface ComparisonRun {
  /** Reads the folder again and compares. Never rejects: a failure is reported in `leftOut`. */
  end(): Promise<FoundChanges>
  /**
   * Call it after `end`. Returns a run that begins with what `end` has read, so that no change falls between the two. After a failure, it
   * begins where this run began. Only a layer on this computer has it.
   */
  next?(): ComparisonRun
  /** Called instead of `end` if no comparison is needed. */
  drop(): void
}

import type { Disposable } from '../../../shared/lib/disposable.ts'

/** A file or link of the folder before or after; null: there is none. `mode`: permission bits; null: a link, whose target `bytes` are. */
export type ComparedFile = { readonly bytes: Uint8Array; readonly mode: number | null } | null

export interface FoundChange {
  /** Relative to the folder, with `/`. */
  readonly path: string
  readonly before: ComparedFile
  readonly after: ComparedFile
}

/** Permission bits before and after; null: no folder. */
export interface FoundFolder {
  readonly path: string
  readonly before: number | null
  readonly after: number | null
}

export interface FoundChanges {
  /** In the order of their paths. */
  readonly changes: readonly FoundChange[]
  readonly folders: readonly FoundFolder[]
  /** Files that were compared. */
  readonly files: number
  /** What the budget left out, as sentences. Empty: nothing. */
  readonly leftOut: readonly string[]
}

/**
 * Finds what a command that runs for real changed in its folder. Ignored files and `.git` are not compared. The budget bounds
 * files, bytes and time, so that a huge folder delays a command by a second or two at most.
 */
export interface FolderComparison extends Disposable {
  /** Reads the folder as it is now. Never rejects. */
  begin(): Promise<ComparisonRun>
}

interface ComparisonRun {
  /** Reads the folder again. Never rejects: a failure is in `leftOut`. */
  end(): Promise<FoundChanges>
  /** Instead of `end`. */
  drop(): void
}

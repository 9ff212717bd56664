import type { BlobHash } from '../lib/ids.ts'
import type { MovedFrom } from './effects.ts'

/** One file before and after a step; null: no file. Its bytes are in the blob store. */
export interface FileChange {
  readonly path: string
  readonly shown: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
  readonly beforeBytes: number
  readonly afterBytes: number
  /** POSIX permission bits before and after; null: no file. */
  readonly beforeMode: number | null
  readonly afterMode: number | null
  /** For a moved file, the differences from its old place. */
  readonly lines: { readonly added: number; readonly removed: number } | null
  /** The file was moved here from this path, which the same step deleted. Absent: not moved. */
  readonly movedFrom?: MovedFrom
}

/** The command whose run changed files. */
export interface MadeBy {
  /** At most 2,000 characters. */
  readonly command: string
  /** It ran for real, so its files were found by comparing the folder before and after. Absent: its copy knows them exactly. */
  readonly compared?: ComparedFolder
  /** It ran in the background, so others may have made some of the changes that were found. Absent: the changes are its own. */
  readonly inBackground?: true
}

/** How far a folder was compared. Ignored files, `.git` and links never are. */
interface ComparedFolder {
  /** Files compared. */
  readonly files: number
  /** What the budget left out, as sentences. Empty: nothing. */
  readonly leftOut: readonly string[]
}

/** A file whose state after a step is unknown, and why, in the system's or the store's words. */
export interface UnreadFile {
  readonly path: string
  readonly shown: string
  readonly why: string
}

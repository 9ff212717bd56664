import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { StandingEntry } from './command-copies.ts'

/** A file's content and permission bits. `size` is in bytes. */
export interface SubagentFile {
  readonly hash: BlobHash
  readonly size: number
  readonly mode: number
}

/**
 * A file that a subagent has changed. `base`: the file when the subagent's copy was made. `own`: the file as the subagent left it. Either
 * is null if the file did not exist then.
 */
export interface SubagentChange {
  /** Relative to the folder. */
  readonly path: string
  readonly base: SubagentFile | null
  readonly own: SubagentFile | null
}

/**
 * The files that a subagent has changed in its copy of the folder, except ignored files, links, and anything in `.git`. Their bytes are in
 * the blob store.
 */
export interface SubagentChanges {
  readonly version: 1
  /** The real path of the folder. */
  readonly folder: string
  readonly files: readonly SubagentChange[]
}

/**
 * Copies of one folder, one for each subagent, so that subagents can write at the same time. Each copy remains on disk until it is removed,
 * even after a restart.
 */
export interface SubagentCopies {
  /** Why a subagent cannot have a copy, as a sentence. Null if it can. */
  missing(): Promise<string | null>
  /** Copies the folder for a subagent. If it fails, rejects with a coded failure and leaves nothing behind. */
  make(sessionId: SessionId, signal: AbortSignal): Promise<void>
  /** Copies the folder again for a subagent whose copy was removed once its changes were in the log. Does nothing if it has a copy. */
  makeIfMissing(sessionId: SessionId): Promise<void>
  /** Returns what has changed in the copy since it was made. Nothing if the copy was removed. */
  changes(sessionId: SessionId): Promise<SubagentChanges>
  /** Returns what the real folder contains now at these relative paths, in their order, and the folder's device number. */
  entriesOf(paths: readonly string[]): Promise<{ readonly entries: readonly (StandingEntry | null)[]; readonly device: string }>
  remove(sessionId: SessionId): Promise<void>
}

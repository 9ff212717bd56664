import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { StandingEntry } from './command-copies.ts'

/** A file's content and permission bits; size in bytes. */
export interface SubagentFile {
  readonly hash: BlobHash
  readonly size: number
  readonly mode: number
}

/** One file that a subagent has changed: as it was when its copy was made, and as the subagent left it. Null: there is none. */
export interface SubagentChange {
  /** Relative to the folder. */
  readonly path: string
  readonly base: SubagentFile | null
  readonly own: SubagentFile | null
}

/** The files that a subagent has changed in its copy of the folder, without ignored files, links and `.git`. Their bytes are in the blob store. */
export interface SubagentChanges {
  readonly version: 1
  /** Real path of the folder. */
  readonly folder: string
  readonly files: readonly SubagentChange[]
}

/** The copies of one folder in which subagents write side by side. Each stays on disk until it is removed, also over restarts. */
export interface SubagentCopies {
  /** Null: a subagent can have a copy. Otherwise why it cannot, as a sentence. */
  missing(): Promise<string | null>
  /** Copies the folder for a subagent. Rejects with a coded failure; nothing is left then. */
  make(sessionId: SessionId, signal: AbortSignal): Promise<void>
  /** The same for one whose changes were handed over before, if it has none. */
  makeIfMissing(sessionId: SessionId): Promise<void>
  /** What has changed in it since it was made; nothing if it was removed. */
  changes(sessionId: SessionId): Promise<SubagentChanges>
  /** What is in the real folder now at these relative paths, in their order, and the folder's device number. */
  entriesOf(paths: readonly string[]): Promise<{ readonly entries: readonly (StandingEntry | null)[]; readonly device: string }>
  remove(sessionId: SessionId): Promise<void>
}

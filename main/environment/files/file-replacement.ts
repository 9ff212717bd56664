import type { BigIntStats } from 'node:fs'
import { basename } from 'node:path'
import type { CrashNotes } from '../crash-notes.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import type { FolderSyncs } from './fsync-folders.ts'
import type { OpenFolder } from './open-folder.ts'

export interface WriteOptions {
  /** The expected current content. Null if no file is expected. */
  readonly expected?: Uint8Array | null
  readonly mode?: number
  /** Whether `path` was a real path when it was approved, so that a link in it counts as a change. */
  readonly real?: boolean
  readonly notes: CrashNotes
  readonly folderSyncs: FolderSyncs
}

/** A replacement of a file's content that is in progress. `before` is null if there is no file. */
export interface Replacement {
  readonly target: string
  readonly bytes: Uint8Array
  readonly before: BigIntStats | null
  readonly folder: OpenFolder
  readonly options: WriteOptions
}

export function changed(path: string): EnvironmentFailure {
  return new EnvironmentFailure('ECHANGED', `${basename(path)} has changed since it was read; nothing was written (ECHANGED).`)
}

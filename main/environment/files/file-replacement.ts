import type { BigIntStats } from 'node:fs'
import { basename } from 'node:path'
import type { CrashNotes } from '../crash-notes.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import type { FolderSyncs } from './fsync-folders.ts'
import type { OpenFolder } from './open-folder.ts'

export interface WriteOptions {
  /** The expected current content; null: no file. */
  readonly expected?: Uint8Array | null
  readonly mode?: number
  /** `path` was a real path when it was approved, so a link in it now is a change. */
  readonly real?: boolean
  readonly notes: CrashNotes
  readonly folderSyncs: FolderSyncs
}

/** A replacement of a file's content in progress. `before` is null if there is no file. */
export interface Replacement {
  readonly target: string
  readonly bytes: Uint8Array
  readonly before: BigIntStats | null
  readonly folder: OpenFolder
  readonly options: WriteOptions
}

export function changed(path: string): EnvironmentFailure {
  return new EnvironmentFailure('ECHANGED', `${basename(path)} is no longer what it was when it was read; nothing was written (ECHANGED).`)
}

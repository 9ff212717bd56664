import type { BigIntStats } from 'node:fs'
import { basename } from 'node:path'
import type { CrashNotes } from '../crash-notes.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import type { OpenFolder } from './open-folder.ts'

export interface WriteOptions {
  /** What must stand there now; null: nothing. */
  readonly expected?: Uint8Array | null
  readonly mode?: number
  /** `path` was real when it was approved: a link on the way now is a change. */
  readonly real?: boolean
  readonly notes: CrashNotes
}

/** One replacement of a file's content on its way. `before` is null where nothing stands. */
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

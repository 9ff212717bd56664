import { closeSync, openSync } from 'node:fs'
import type { Trouble } from '../../../shared/session/events.ts'
import { StorageError } from '../../agent/storage-error.ts'

/** Ways in which storage fails, each with its own message. */
export type StorageCode =
  | 'storage_locked'
  | 'storage_in_repair'
  | 'storage_full'
  | 'storage_read_only'
  | 'storage_unreadable'
  | 'storage_corrupt'
  | 'storage_not_a_database'
  | 'storage_foreign'
  | 'storage_incomplete'
  | 'storage_newer'
  | 'storage_missing_blob'
  | 'storage_no_handles'
  | 'storage_deleted'
  | 'storage_failed'

const NOT_TOUCHED = 'The file is unchanged. Nothing was deleted.'
const WORDS: Readonly<Record<StorageCode, { readonly what: string; readonly kept: string; readonly todo: string }>> = {
  storage_locked: {
    what: 'Another process keeps the history locked.',
    kept: 'Everything saved so far is kept. The newest step is not saved.',
    todo: 'Close other Countersign windows or tools that have the file open, then try again.',
  },
  storage_in_repair: {
    what: 'Another Countersign process is repairing the history.',
    kept: 'Everything saved so far is kept.',
    todo: 'Wait until the repair has finished, then start Countersign again.',
  },
  storage_full: {
    what: 'The disk is full: the history cannot be saved.',
    kept: 'Everything saved so far is kept. The newest step is not saved.',
    todo: 'Free some space, then try again.',
  },
  storage_read_only: {
    what: 'The history can be read but not written.',
    kept: 'Everything saved so far is kept. New steps are not saved.',
    todo: 'Make the data folder and the file writable for your user, or start with another data folder: --data DIR.',
  },
  storage_unreadable: {
    what: 'The history cannot be opened: your user may not read and write its folder.',
    kept: NOT_TOUCHED,
    todo: 'Give your user the right to read and write the data folder, or start with another data folder: --data DIR.',
  },
  storage_corrupt: {
    what: 'Part of the history is damaged.',
    kept: 'The damaged file was not changed. Undamaged sessions can still be read.',
    todo: 'First make a copy of the file. Then check the disk. There may be a backup (.bak) next to the file.',
  },
  storage_not_a_database: {
    what: 'The history file is not a database.',
    kept: NOT_TOUCHED,
    todo: 'Move the file away and start again, or start with another data folder: --data DIR.',
  },
  storage_foreign: {
    what: 'The history file is a database of another program.',
    kept: NOT_TOUCHED,
    todo: 'Move the file away and start again, or start with another data folder: --data DIR.',
  },
  storage_incomplete: {
    what: 'The history file is missing, but its journal exists.',
    kept: 'The journal was not changed. It may contain the newest steps.',
    todo: 'Put the history file back next to its journal, or move the journal away and start again.',
  },
  storage_newer: {
    what: 'The history was written by a newer version of Countersign.',
    kept: 'The history is intact. It can be read here but not changed.',
    todo: 'Install the newer version again.',
  },
  storage_missing_blob: {
    what: 'A stored text is missing or damaged.',
    kept: 'The history itself is intact.',
    todo: 'Restore the data folder from a backup if you need this text.',
  },
  storage_no_handles: {
    what: 'The system allows no more open files: the history cannot be saved or read.',
    kept: 'Everything saved so far is kept. The newest step is not saved; Countersign keeps trying.',
    todo: 'Close other programs or windows, or raise the limit of open files (ulimit -n).',
  },
  storage_deleted: {
    what: 'This session was deleted by another Countersign process.',
    kept: 'All other sessions and all files in the folder are unchanged.',
    todo: 'Send your message in a new session.',
  },
  storage_failed: {
    what: 'The history could not be saved or read.',
    kept: 'Everything saved so far is kept. The newest step is not saved.',
    todo: 'Check the data folder’s disk, then try again.',
  },
}

/** The message for a known case. `where` is the file, and `detail` adds the system's reason. */
export function storageTrouble(code: StorageCode, where: string, detail?: string): Trouble {
  const { what, kept, todo } = WORDS[code]
  return { code, what: `${what} (${where}${detail ? `: ${detail}` : ''})`, kept, todo }
}

/** The message for an error of SQLite or the file system. A `StorageError` keeps its own message. */
export function troubleOf(error: unknown, where: string): Trouble {
  if (error instanceof StorageError) return error.trouble
  const detail = error instanceof Error ? error.message : String(error)
  return storageTrouble(codeOf(error), where, detail)
}

/** Converts an error of SQLite or the file system to a `StorageError`. Throws any other error, which is a bug. */
export function asStorageError(error: unknown, where: string): StorageError {
  if (error instanceof StorageError) return error
  if (!systemCode(error)) throw error
  return new StorageError(troubleOf(error, where), error)
}

const CODES: readonly (readonly [prefix: string, code: StorageCode])[] = [
  ['SQLITE_BUSY', 'storage_locked'],
  ['SQLITE_LOCKED', 'storage_locked'],
  ['SQLITE_FULL', 'storage_full'],
  ['ENOSPC', 'storage_full'],
  ['EDQUOT', 'storage_full'],
  ['SQLITE_READONLY', 'storage_read_only'],
  ['EROFS', 'storage_read_only'],
  ['EMFILE', 'storage_no_handles'],
  ['ENFILE', 'storage_no_handles'],
  ['SQLITE_CORRUPT', 'storage_corrupt'],
  ['SQLITE_NOTADB', 'storage_not_a_database'],
  ['SQLITE_CANTOPEN', 'storage_unreadable'],
  ['SQLITE_PERM', 'storage_unreadable'],
  ['SQLITE_AUTH', 'storage_unreadable'],
  ['EACCES', 'storage_unreadable'],
  ['EPERM', 'storage_unreadable'],
  ['ENOTDIR', 'storage_unreadable'],
  ['EEXIST', 'storage_unreadable'],
  ['EISDIR', 'storage_unreadable'],
  ['ELOOP', 'storage_unreadable'],
]

const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

export function codeOf(error: unknown): StorageCode {
  const code = systemCode(error)
  // SQLite reports SQLITE_CANTOPEN for many reasons. A lack of file handles is only one of them.
  if (code.startsWith('SQLITE_CANTOPEN') && !canOpenFiles()) return 'storage_no_handles'
  return CODES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'storage_failed'
}

/** Whether this process may open one more file. Tried with a file that is always readable. */
function canOpenFiles(): boolean {
  try {
    closeSync(openSync(process.execPath, 'r'))
    return true
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes(systemCode(error))
  }
}

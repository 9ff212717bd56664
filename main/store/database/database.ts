import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { chmod, copyFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { openTemporaryFolder } from '../../environment/temporary-folder.ts'
import { StorageError } from '../../agent/storage-error.ts'
import { createPrivateFile } from '../private-folder.ts'
import type { Connection, DatabaseClass } from './connection.ts'
import { migrate } from './migrate.ts'
import { APPLICATION_ID, newest, type Migration } from './migrations.ts'
import { asStorageError, codeOf, storageTrouble, type StorageCode } from './storage-trouble.ts'

/** `readOnly` is the reason why nothing can be written; null if the database is writable. */
export interface OpenDatabase {
  readonly db: Connection
  readonly readOnly: Trouble | null
  /**
   * The folder of the temporary copy that was opened in place of the file. The derived tables of the copy may be written. Null if there is
   * no copy.
   */
  readonly copyIn: string | null
}

/** Maximum time in ms that opening waits for another process's lock, in total. It waits without blocking. */
export const OPEN_TIMEOUT_MS = 5_000
/**
 * Maximum time in ms that a statement waits for another process's write. The wait blocks the process and adds to the other work of the same
 * event loop turn, so it must be shorter than one frame on the screen. Longer waits do not block (`retryWhileLocked`).
 */
export const BUSY_TIMEOUT_MS = 12
/** Size in bytes to which a larger journal is truncated. */
const JOURNAL_LIMIT = 64 * 1024 * 1024
/**
 * Number of pages after which a commit itself moves the journal into the file. Normally the journal is moved earlier, while nothing is
 * written.
 */
const AUTO_CHECKPOINT_PAGES = 4_000

/** SQLite's class, imported when it is first used. This saves 27 ms for a start without a store. */
export async function databaseClass(): Promise<DatabaseClass> {
  return (await import('better-sqlite3')).default
}

/**
 * Opens or creates the database at `file` and applies the missing `migrations` (see `migrate`). Before the first migration, the file is
 * copied to `<file>.bak-<version>`. If the process is killed, the file has a complete schema, either the old or a newer one. If the schema
 * is newer than ours, or the file may not be written, the database opens read-only if possible. Nothing is ever deleted.
 */
export async function openDatabase(
  Class: DatabaseClass,
  file: string,
  migrations: readonly Migration[],
  lockTimeoutMs = OPEN_TIMEOUT_MS,
): Promise<Result<OpenDatabase, Trouble>> {
  const deadline = performance.now() + lockTimeoutMs
  for (;;) {
    const outcome = await attempt(Class, file, migrations)
    if (outcome.ok || outcome.failure.code !== 'storage_locked' || performance.now() >= deadline) return outcome
    await sleep(50)
  }
}

async function attempt(Class: DatabaseClass, file: string, migrations: readonly Migration[]): Promise<Result<OpenDatabase, Trouble>> {
  let db: Connection | null = null
  try {
    const bad = prepareFile(file)
    if (bad) return failed(storageTrouble(bad, file))
    // Without this check, SQLite would silently open the file read-only and fail at the first write.
    accessSync(file, constants.W_OK)
    db = new Class(file, { timeout: 20 })
    const version = schemaVersion(db)
    if (version === null) return refused(db, storageTrouble('storage_foreign', file))
    if (version > newest(migrations)) {
      db.close()
      return await openReadOnly(Class, file, migrations, storageTrouble('storage_newer', file))
    }
    // Only an empty file can get this setting without being rewritten.
    if (version === 0) db.pragma('auto_vacuum = INCREMENTAL')
    configure(db)
    await migrate(Class, db, file, migrations)
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    return ok({ db, readOnly: null, copyIn: null })
  } catch (error) {
    db?.close()
    const { trouble } = asStorageError(error, file)
    if (trouble.code !== 'storage_read_only' && trouble.code !== 'storage_unreadable') return failed(trouble)
    return openReadOnly(Class, file, migrations, storageTrouble('storage_read_only', file), trouble)
  }
}

function refused(db: Connection, trouble: Trouble): Result<OpenDatabase, Trouble> {
  db.close()
  return failed(trouble)
}

/**
 * Creates the file if it is missing, but not next to an orphaned journal. SQLite would delete the journal, which may contain the only copy
 * of the newest steps. Returns the reason if the file cannot be used.
 */
function prepareFile(file: string): StorageCode | null {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat && !stat.isFile()) return 'storage_unreadable'
  if (stat && stat.size > 0) return null
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return 'storage_incomplete'
  createPrivateFile(file)
  return null
}

async function openReadOnly(
  Class: DatabaseClass,
  file: string,
  migrations: readonly Migration[],
  why: Trouble,
  otherwise: Trouble = why,
): Promise<Result<OpenDatabase, Trouble>> {
  let db: Connection | null = null
  try {
    db = new Class(file, { readonly: true, fileMustExist: true, timeout: 0 })
    const version = schemaVersion(db)
    if (version === null) return refused(db, otherwise)
    if (version >= newest(migrations)) return ok({ db, readOnly: why, copyIn: null })
    db.close()
    return await openCopy(Class, file, migrations, why)
  } catch (error) {
    db?.close()
    if (codeOf(error) !== 'storage_unreadable') return failed(asStorageError(error, file).trouble)
    // On a disk that is mounted read-only, SQLite cannot even read the file, because it cannot create its journal.
    return isReadable(file) ? openCopy(Class, file, migrations, why) : failed(otherwise)
  }
}

/** Opens a copy of the file and its journal in a temporary folder. */
async function openCopy(
  Class: DatabaseClass,
  file: string,
  migrations: readonly Migration[],
  why: Trouble,
): Promise<Result<OpenDatabase, Trouble>> {
  const copyIn = await openTemporaryFolder('read-only')
  let db: Connection | null = null
  try {
    const copy = join(copyIn, basename(file))
    await copyFile(file, copy, constants.COPYFILE_FICLONE)
    if (existsSync(`${file}-wal`)) await copyFile(`${file}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE)
    await chmod(copy, 0o600)
    db = new Class(copy, { fileMustExist: true, timeout: 0 })
    const version = schemaVersion(db)
    if (version === null) throw new StorageError(storageTrouble('storage_foreign', file))
    if (version < newest(migrations)) await migrate(Class, db, copy, migrations)
    db.pragma('synchronous = OFF')
    return ok({ db, readOnly: why, copyIn })
  } catch (error) {
    db?.close()
    await rm(copyIn, { recursive: true, force: true })
    return failed(asStorageError(error, file).trouble)
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** The schema version; null if the database belongs to another program. */
function schemaVersion(db: Connection): number | null {
  const version = Number(db.pragma('user_version', { simple: true }))
  const tables = Number(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get())
  if (version === 0 && tables === 0) return 0
  return db.pragma('application_id', { simple: true }) === APPLICATION_ID ? version : null
}

function configure(db: Connection): void {
  if (db.pragma('journal_mode', { simple: true }) !== 'wal') db.pragma('journal_mode = WAL')
  // A power cut cannot damage the database. `DiskSync` syncs commits in a thread; only the first commit after a checkpoint syncs here.
  db.pragma('synchronous = NORMAL')
  db.pragma(`journal_size_limit = ${JOURNAL_LIMIT}`)
  db.pragma(`wal_autocheckpoint = ${AUTO_CHECKPOINT_PAGES}`)
}

import { mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { BlobFiles } from './blobs/blob-files.ts'
import { checkpointAll } from './database/checkpoints.ts'
import type { Connection } from './database/connection.ts'
import { createDiskSync, type DiskSync, NO_DISK_SYNC } from './database/disk-sync.ts'
import { databaseClass, OPEN_TIMEOUT_MS, openDatabase, type OpenDatabase } from './database/database.ts'
import { DATABASE_FILE } from './file-names.ts'
import { tracesFolder } from './claims/running-call-traces.ts'
import { wantCheck } from './doctor/check-schedule.ts'
import { isInRepair, removeIfFree, takeLifeLock, type LifeLock } from './claims/life-lock.ts'
import { MIGRATIONS, shadowDerivedTables } from './database/migrations.ts'
import { createNotes, NO_NOTES } from './claims/crash-notes-file.ts'
import { asStorageError, type StorageCode, storageTrouble } from './database/storage-trouble.ts'
import { createStore, type Store } from './store.ts'

export interface OpenStoreOptions {
  readonly clock?: Pick<Clock, 'now'>
  /** Maximum time in ms to wait for another process's lock or repair, without blocking. */
  readonly lockTimeoutMs?: number
  /** Whether this process has the right to repair the store (`takeRepairLock`). */
  readonly isRepair?: boolean
  /** Syncs the file of a handle to the disk. Default: `fdatasync`. */
  readonly sync?: (fd: number) => Promise<void>
}

const NEWER: StorageCode = 'storage_newer'

/**
 * Opens the store of a data folder, which is created if it is missing. If the store can be read but not written, it opens read-only, and
 * `store.trouble()` returns the reason. Any other failure is a `Trouble`. In that case, nothing on disk was deleted or replaced.
 */
export async function openStore(
  folder: string,
  { clock = Date, lockTimeoutMs, isRepair = false, sync }: OpenStoreOptions = {},
): Promise<Result<Store, Trouble>> {
  const file = join(folder, DATABASE_FILE)
  let opened: OpenDatabase | null = null
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const Class = await databaseClass()
    const outcome = await openDatabase(Class, file, MIGRATIONS, lockTimeoutMs)
    if (!outcome.ok) return outcome
    opened = outcome.value
    if (opened.readOnly) return ok(readOnlyStore(opened, file, clock))
    const life = takeLifeLock(Class, made(folder, 'leases'))
    // This is checked after the lock is taken. A repair that starts after this check finds the lock and stops.
    if (!isRepair && !(await hasNoRepair(() => isInRepair(Class, join(folder, 'leases')), lockTimeoutMs))) {
      life.dispose()
      opened.db.close()
      return failed(storageTrouble('storage_in_repair', folder))
    }
    if (life.foundDead) wantCheck(folder)
    const files = blobFiles(folder, life.holder)
    sweep(life, made(folder, 'blobs', 'partial'))
    const notes = createNotes(made(folder, 'notes'), life)
    return ok(
      createStore({
        ...opened,
        isShadowed: false,
        file,
        disk: diskSyncOf(opened.db, file, sync),
        clock,
        life,
        files,
        notes,
        traces: tracesFolder(folder),
      }),
    )
  } catch (error) {
    opened?.db.close()
    if (opened?.copyIn) rmSync(opened.copyIn, { recursive: true, force: true })
    // A newer schema may lack tables or columns that a query needs. If the schema is newer, that is reported as the cause, whatever the
    // error says.
    return failed(opened?.readOnly?.code === NEWER ? opened.readOnly : asStorageError(error, folder).trouble)
  }
}

/** SQLite keeps the journal beside the real file if the path is a link. */
const diskSyncOf = (db: Connection, file: string, sync: OpenStoreOptions['sync']): DiskSync =>
  createDiskSync({ journal: `${realpathSync(file)}-wal`, rewrite: () => checkpointAll(db), sync })

/** Waits for a repair to end. Returns false if it is still running after `timeoutMs`. */
async function hasNoRepair(isRunning: () => boolean, timeoutMs = OPEN_TIMEOUT_MS): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (isRunning()) {
    if (performance.now() >= deadline) return false
    await sleep(50)
  }
  return true
}

/**
 * Opens a store that behaves the same but exists only in memory. It is used in tests, and while the real store cannot be opened. The desk
 * then shows that nothing is saved.
 */
export async function openMemoryStore({ clock = Date }: Pick<OpenStoreOptions, 'clock'> = {}): Promise<Store> {
  const Class = await databaseClass()
  const db = new Class(':memory:')
  for (const migration of MIGRATIONS) migration.apply(db)
  return createStore({ db, readOnly: null, isShadowed: false, file: ':memory:', clock, life: noLifeLock(), files: null, ...UNTRACED })
}

/** A store that writes nothing to the disk keeps no notes or traces. */
const UNTRACED = { disk: NO_DISK_SYNC, notes: NO_NOTES, traces: null }

function readOnlyStore(opened: OpenDatabase, file: string, clock: Pick<Clock, 'now'>): Store {
  const { copyIn } = opened
  const isShadowed = copyIn === null
  if (isShadowed) shadowDerivedTables(opened.db)
  const store = createStore({
    ...opened,
    isShadowed,
    file,
    clock,
    life: noLifeLock(),
    files: blobFiles(dirname(file), 'none'),
    ...UNTRACED,
  })
  return {
    ...store,
    close() {
      store.close()
      if (copyIn !== null) rmSync(copyIn, { recursive: true, force: true })
    },
  }
}

const blobFiles = (folder: string, holder: string): BlobFiles => ({
  folder: join(folder, 'blobs'),
  partial: join(folder, 'blobs', 'partial'),
  holder,
})

function noLifeLock(): LifeLock {
  const holder = randomUUID()
  return { holder, foundDead: false, isAlive: (name) => name === holder, hasOthers: () => false, leftBehind: () => [], dispose: () => {} }
}

function made(...path: readonly [string, ...string[]]): string {
  const folder = join(...path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Removes unfinished blobs of dead processes. Nothing refers to these blobs. */
function sweep(life: LifeLock, partial: string): void {
  if (readdirSync(partial).length === 0) return
  for (const name of life.leftBehind(partial)) removeIfFree(join(partial, name))
}

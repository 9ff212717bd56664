import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import type { DatabaseClass } from '../database/connection.ts'
import { codeOf } from '../database/storage-trouble.ts'

/**
 * Proof that a process is alive: an operating-system lock on a small file. The lock is released however the process ends. Unlike a pid with
 * a start time, it never matches a different process. It works the same on every platform, and across containers that share the folder.
 */
export interface LifeLock extends Disposable {
  /** Unique name of this process's store. */
  readonly holder: string
  /** Whether a process that had a lock in this folder has ended without releasing it. */
  readonly foundDead: boolean
  isAlive(holder: string): boolean
  /** Whether another process has the store open. */
  hasOthers(): boolean
  /** Names of files in `folder` that begin with the name of a dead holder. */
  leftBehind(folder: string): readonly string[]
}

/** A lock file younger than this (ms) may have been created but not locked yet, so its holder does not count as dead. */
const BEING_MADE_MS = 60_000

/** Acquires the lock. SQLite does the locking on each platform. The file itself remains empty. */
export function takeLifeLock(Class: DatabaseClass, folder: string): LifeLock {
  const holder = randomUUID()
  const file = (name: string): string => join(folder, `${name}.lock`)
  // SQLite would create the file with read access for everyone.
  closeSync(openSync(file(holder), 'wx', 0o600))
  const own = new Class(file(holder), { timeout: 0 })
  own.pragma('journal_mode = MEMORY')
  own.exec('BEGIN EXCLUSIVE')

  const isAlive = (name: string): boolean => name === holder || isLocked(Class, file(name))
  const dead = deadHolders(Class, folder)
  for (const name of dead) removeIfFree(file(name))
  return {
    holder,
    foundDead: dead.length > 0,
    isAlive,
    hasOthers: () => hasLiveHolders(Class, folder, holder),
    leftBehind: (where) => {
      const names = readdirSync(where)
      const dead = new Set(names.map(holderOf).filter((name) => !isAlive(name)))
      return names.filter((name) => dead.has(holderOf(name)))
    },
    dispose() {
      own.close()
      removeIfFree(file(holder))
    },
  }
}

/** Whether a process other than the holder `except` has a life lock in this folder. */
export function hasLiveHolders(Class: DatabaseClass, folder: string, except: string | null): boolean {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.some((name) => name.endsWith('.lock') && name !== `${except}.lock` && isLocked(Class, join(folder, name)))
}

/**
 * The file that a repair locks. Its name differs from those of life locks. The file is never removed, because a process that has just
 * opened it would then lock a file that no other process finds.
 */
const REPAIR_FILE = 'repair'
/** Maximum time in ms to wait for a process that only checks the lock, which takes much less than a millisecond. */
const CHECK_MS = 20

/**
 * Acquires the right to repair the store of this folder. Until the lock is disposed or this process ends, no other process opens the store.
 * Null if another process has the lock. Throws the error of the file system or of SQLite if the folder is missing or cannot be written.
 */
export function takeRepairLock(Class: DatabaseClass, folder: string): Disposable | null {
  const file = join(folder, REPAIR_FILE)
  closeSync(openSync(file, 'a', 0o600))
  const own = new Class(file, { timeout: CHECK_MS })
  try {
    own.pragma('journal_mode = MEMORY')
    own.exec('BEGIN EXCLUSIVE')
    return disposable(() => own.close())
  } catch (error) {
    own.close()
    if (codeOf(error) === 'storage_locked') return null
    throw error
  }
}

/** Whether a process is repairing the store of this folder. */
export const isInRepair = (Class: DatabaseClass, folder: string): boolean => isLocked(Class, join(folder, REPAIR_FILE))

/** Holders whose process has ended without removing its lock file. */
export function deadHolders(Class: DatabaseClass, folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false })
    const isOld = stat?.isFile() && stat.mtimeMs < Date.now() - BEING_MADE_MS
    return name.endsWith('.lock') && isOld && !isLocked(Class, join(folder, name)) ? [name.slice(0, -5)] : []
  })
}

/** Windows does not remove a file that is open anywhere, even if it is open only to check its lock. The next launch removes it. */
export function removeIfFree(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // On Windows, the file cannot be removed now if it is open.
  }
}

const holderOf = (name: string): string => name.split('.', 1)[0] ?? name

/** Acquires only a shared lock, so that two processes that check at the same time do not mistake each other for the holder. */
function isLocked(Class: DatabaseClass, file: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false
  let db: InstanceType<DatabaseClass> | undefined
  try {
    db = new Class(file, { readonly: true, timeout: 0 })
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    // Any other error means that the file is not a lock, for example because it is damaged. Nobody has locked it, and it must not make the
    // check fail.
    return codeOf(error) === 'storage_locked'
  } finally {
    db?.close()
  }
}

import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { DatabaseClass } from '../database/connection.ts'
import { codeOf } from '../database/storage-trouble.ts'

/**
 * Proof that a process lives: it holds an operating-system lock on a small file as long as it does, however it ends. Unlike a pid and a
 * start time this cannot be mistaken (pids come back), reads the same on every platform, and holds across containers that share the folder.
 */
export interface LifeLock extends Disposable {
  /** Names this opening of the store among all. */
  readonly holder: string
  isAlive(holder: string): boolean
  /** Names in `folder` that begin with a holder who has died. */
  leftBehind(folder: string): readonly string[]
}

/** A file this young (ms) may be one that its process has made and not yet locked. */
const BEING_MADE_MS = 60_000

/** Takes the lock. SQLite does the locking, since it knows each platform's way; the file itself stays empty. */
export function takeLifeLock(Class: DatabaseClass, folder: string): LifeLock {
  const holder = randomUUID()
  const file = (name: string): string => join(folder, `${name}.lock`)
  // SQLite would make it readable by everybody.
  closeSync(openSync(file(holder), 'wx', 0o600))
  const own = new Class(file(holder), { timeout: 0 })
  own.pragma('journal_mode = MEMORY')
  own.exec('BEGIN EXCLUSIVE')

  const isAlive = (name: string): boolean => name === holder || isLocked(Class, file(name))
  for (const name of readdirSync(folder)) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false })
    const isOld = stat?.isFile() && stat.mtimeMs < Date.now() - BEING_MADE_MS
    if (name.endsWith('.lock') && isOld && !isAlive(name.slice(0, -5))) removeIfFree(join(folder, name))
  }
  return {
    holder,
    isAlive,
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

/** Windows removes no file that somebody has open, if only to look whether it is locked: the next start does. */
export function removeIfFree(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // See above.
  }
}

const holderOf = (name: string): string => name.split('.', 1)[0] ?? name

/** Reading needs a shared lock, so that two who look at once do not take each other for the holder. */
function isLocked(Class: DatabaseClass, file: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false
  let db: InstanceType<DatabaseClass> | undefined
  try {
    db = new Class(file, { readonly: true, timeout: 0 })
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    // What is no lock at all (another file of this name, a damaged one) is held by nobody; whoever reads it must not fail for it.
    return codeOf(error) === 'storage_locked'
  } finally {
    db?.close()
  }
}

import { closeSync, openSync, rmSync } from 'node:fs'
import type { Connection, DatabaseClass } from './connection.ts'
import { settle } from '../blobs/durable-file.ts'
import { newest, type Migration } from './migrations.ts'

/**
 * Applies the missing `migrations`, each in its own transaction, or all in one transaction if the file is new. The write lock is acquired
 * before the file is copied, so that only one of several processes migrates and the copy has the old schema. The others wait for the
 * lock.
 */
export async function migrate(Class: DatabaseClass, db: Connection, file: string, migrations: readonly Migration[]): Promise<void> {
  const found = versionOf(db)
  while (versionOf(db) < newest(migrations)) {
    db.exec('BEGIN IMMEDIATE')
    try {
      if (found > 0 && versionOf(db) === found) await backUp(Class, file, found)
      step(db, migrations)
      // A new file contains nothing that could be lost, so all steps share one transaction. This saves two waits for the disk per step.
      while (found === 0 && versionOf(db) < newest(migrations)) step(db, migrations)
      db.exec('COMMIT')
    } finally {
      if (db.inTransaction) db.exec('ROLLBACK')
    }
  }
}

const versionOf = (db: Connection): number => Number(db.pragma('user_version', { simple: true }))

function step(db: Connection, migrations: readonly Migration[]): void {
  const from = versionOf(db)
  const next = migrations.find(({ version }) => version > from)
  if (!next) return
  next.apply(db)
  db.pragma(`user_version = ${next.version}`)
}

/** Makes a complete copy under its final name, or none. Uses its own connection, because the other connection has the lock. */
async function backUp(Class: DatabaseClass, file: string, version: number): Promise<void> {
  const partial = `${file}.bak-${version}.partial`
  rmSync(partial, { force: true })
  // SQLite would create the file with read access for everyone.
  closeSync(openSync(partial, 'wx', 0o600))
  const source = new Class(file, { readonly: true })
  try {
    await source.backup(partial)
    settle(openSync(partial, 'r+'), partial, `${file}.bak-${version}`)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  } finally {
    source.close()
  }
}

import { closeSync, openSync, rmSync } from 'node:fs'
import type { Connection, DatabaseClass } from './connection.ts'
import { settle } from '../blobs/durable-file.ts'
import { newest, type Migration } from './migrations.ts'

/**
 * Brings a database up to the newest of `migrations`, each in a transaction of its own. The first takes the write lock before the file is
 * copied, so that of several processes one migrates and the copy is that of the old schema; the others wait their patience for the lock.
 */
export async function migrate(Class: DatabaseClass, db: Connection, file: string, migrations: readonly Migration[]): Promise<void> {
  const found = versionOf(db)
  while (versionOf(db) < newest(migrations)) {
    db.exec('BEGIN IMMEDIATE')
    try {
      if (found > 0 && versionOf(db) === found) await putAside(Class, file, found)
      step(db, migrations)
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

/** A whole copy under its final name, or none. Needs a connection of its own, since the other one holds the lock meanwhile. */
async function putAside(Class: DatabaseClass, file: string, version: number): Promise<void> {
  const partial = `${file}.bak-${version}.partial`
  rmSync(partial, { force: true })
  // SQLite would make it readable by everybody.
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

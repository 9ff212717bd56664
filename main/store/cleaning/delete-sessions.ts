import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from '../database/connection.ts'

/** The marker of a session that is being deleted. If a process is killed during a deletion, the next process completes it. */
export const DELETING_MARKER = 'deleting'

/** Number of rows per transaction. It is small, so that another process waits for the lock for only a few milliseconds. */
const ROWS = 100
/** Number of pages that are returned to the disk per transaction. */
const PAGES = 256

/** Begins a deletion in one transaction: the sessions are no longer listed, claimed or opened. `deleteSessions` deletes the rest. */
export function beginDeletion(db: Connection, ids: readonly SessionId[]): void {
  const mark = db.prepare('REPLACE INTO markers (session_id, name, value) VALUES (?, ?, ?)')
  const rows = ['sessions', 'leases'].map((table) => db.prepare(`DELETE FROM ${table} WHERE session_id = ?`))
  db.transaction(() => {
    for (const id of ids) {
      mark.run(id, DELETING_MARKER, '')
      for (const row of rows) row.run(id)
    }
  }).immediate()
}

/** Deletes sessions and everything derived from them. From the first transaction on, they are no longer listed and cannot be opened. */
export function deleteSessions(db: Connection, ids: readonly SessionId[]): void {
  const some = `SELECT seq FROM events WHERE session_id = ? ORDER BY seq LIMIT ${ROWS}`
  const slim = db.prepare(`DELETE FROM slim_ends WHERE seq IN (${some})`)
  const events = db.prepare(`DELETE FROM events WHERE seq IN (${some})`)
  const derived = ['calls', 'file_changes', 'markers'].map((table) => db.prepare(`DELETE FROM ${table} WHERE session_id = ?`))
  beginDeletion(db, ids)
  const step = db.transaction((id: SessionId): number => {
    slim.run(id)
    return events.run(id).changes
  })
  for (const id of ids) {
    while (step.immediate(id) > 0);
    db.transaction(() => {
      for (const table of derived) table.run(id)
    }).immediate()
  }
}

/** Removes blobs from the database and from the files. */
export function deleteBlobs(db: Connection, folder: string, hashes: readonly string[]): void {
  const row = db.prepare('DELETE FROM blobs WHERE hash = ?')
  for (let from = 0; from < hashes.length; from += ROWS) {
    const batch = hashes.slice(from, from + ROWS)
    db.transaction(() => {
      for (const hash of batch) row.run(Buffer.from(hash, 'hex'))
    }).immediate()
    for (const hash of batch) rmSync(join(folder, hash.slice(0, 2), hash), { force: true })
  }
}

/**
 * Returns some empty pages to the disk. False if no empty pages are left. A database that was made without incremental vacuum is completely
 * rewritten once.
 */
export function vacuumSome(db: Connection): boolean {
  if (db.pragma('auto_vacuum', { simple: true }) === 0) {
    db.pragma('auto_vacuum = INCREMENTAL')
    db.exec('VACUUM')
  }
  db.pragma(`incremental_vacuum(${PAGES})`)
  if (Number(db.pragma('freelist_count', { simple: true })) > 0) return true
  db.pragma('wal_checkpoint(TRUNCATE)')
  return false
}

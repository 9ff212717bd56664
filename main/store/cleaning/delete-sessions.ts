import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from '../database/connection.ts'

/** The marker of a session that is being deleted. What a killed process left is deleted by the next one. */
export const DELETING_MARKER = 'deleting'

/** Rows per transaction: another process waits for the lock for a few milliseconds only. */
const ROWS = 100
/** Pages given back per transaction. */
const PAGES = 256

/** Deletes sessions with everything derived from them. From the first transaction on they are not listed and cannot be opened. */
export function deleteSessions(db: Connection, ids: readonly SessionId[]): void {
  const mark = db.prepare('REPLACE INTO markers (session_id, name, value) VALUES (?, ?, ?)')
  const rows = ['sessions', 'leases'].map((table) => db.prepare(`DELETE FROM ${table} WHERE session_id = ?`))
  const some = `SELECT seq FROM events WHERE session_id = ? ORDER BY seq LIMIT ${ROWS}`
  const slim = db.prepare(`DELETE FROM slim_ends WHERE seq IN (${some})`)
  const events = db.prepare(`DELETE FROM events WHERE seq IN (${some})`)
  const derived = ['calls', 'file_changes', 'markers'].map((table) => db.prepare(`DELETE FROM ${table} WHERE session_id = ?`))
  db.transaction(() => {
    for (const id of ids) {
      mark.run(id, DELETING_MARKER, '')
      for (const row of rows) row.run(id)
    }
  }).immediate()
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

/** Removes blobs, in the database and in files. */
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

/** Gives some empty pages back to the disk; false: none are left. A database made before this was possible is rewritten once, as a whole. */
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

import Database from 'better-sqlite3'
import { join } from 'node:path'
import { deleteBlobs, deleteSessions, vacuumSome } from '../../../main/store/cleaning/delete-sessions.ts'
import { DATABASE_FILE } from '../../../main/store/file-names.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { say } from './say.ts'

/** Deletes a session and its blobs, and then frees the disk space. */
const [folder = '', sessionId = '', hashes = ''] = process.argv.slice(2)
const db = new Database(join(folder, DATABASE_FILE), { timeout: 5_000 })
say({ kind: 'begins' })
deleteSessions(db, [sessionId as SessionId])
deleteBlobs(db, join(folder, 'blobs'), hashes.split(','))
while (vacuumSome(db));
say({ kind: 'done' })
db.close()

import Database from 'better-sqlite3'

/** Makes a closed store what the version before the derived tables left behind. */
export function toVersionTwo(file: string): void {
  const db = new Database(file)
  db.exec('DROP TABLE calls; DROP TABLE file_changes; DROP TABLE slim_ends; DROP INDEX sessions_by_cursor; UPDATE sessions SET version = 7')
  db.pragma('user_version = 2')
  db.close()
}

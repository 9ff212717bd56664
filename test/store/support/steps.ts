import { APPLICATION_ID, type Migration } from '../../../main/store/database/migrations.ts'

/** A history of two schema versions for migration tests. */
export const TWO_STEPS: readonly Migration[] = [
  {
    version: 1,
    apply(db) {
      db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY)')
      db.pragma(`application_id = ${APPLICATION_ID}`)
    },
  },
  { version: 2, apply: (db) => void db.exec(`ALTER TABLE notes ADD COLUMN text TEXT NOT NULL DEFAULT ''`) },
]

export const THREE_STEPS: readonly Migration[] = [
  ...TWO_STEPS,
  {
    version: 3,
    apply(db) {
      db.exec('ALTER TABLE notes ADD COLUMN author TEXT')
      const author = db.prepare(`UPDATE notes SET author = 'unknown' WHERE id = ?`)
      for (const id of db.prepare<[], number>('SELECT id FROM notes').pluck().all()) author.run(id)
    },
  },
]

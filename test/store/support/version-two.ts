import Database from 'better-sqlite3'
import { MIGRATIONS } from '../../../main/store/database/migrations.ts'

/** Turns a closed store into version 2, which has no derived tables yet, by removing everything that later migrations added. */
export function toVersionTwo(file: string): void {
  const old = new Database(':memory:')
  for (const step of MIGRATIONS) if (step.version <= 2) step.apply(old)
  const db = new Database(file)
  const added = partsOf(db).filter(({ name }) => partsOf(old).every((known) => known.name !== name))
  for (const { type, name } of added.toSorted((a, b) => (a.type < b.type ? -1 : 1))) db.exec(`DROP ${type} ${name}`)
  for (const table of ['sessions', 'folders']) {
    const known = columnsOf(old, table)
    for (const name of columnsOf(db, table)) if (!known.includes(name)) db.exec(`ALTER TABLE ${table} DROP COLUMN ${name}`)
  }
  db.exec('UPDATE sessions SET version = 7')
  db.pragma('user_version = 2')
  db.close()
  old.close()
}

type Connection = InstanceType<typeof Database>

const partsOf = (db: Connection) =>
  db.prepare<[], { type: string; name: string }>(`SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'`).all()
const columnsOf = (db: Connection, table: string): readonly string[] =>
  db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)

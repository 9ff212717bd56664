import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../main/store/database/database.ts'
import { APPLICATION_ID, type Migration } from '../../../main/store/database/migrations.ts'
import { startChild } from '../support/child.ts'
import { THREE_STEPS, TWO_STEPS } from '../support/steps.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { containing } from '../support/matching.ts'

const rows = (file: string): unknown => {
  const db = new Database(file, { readonly: true })
  const all = db.prepare('SELECT * FROM notes ORDER BY id').all()
  db.close()
  return all
}

const open = async (file: string, migrations: readonly Migration[]) => {
  const result = await openDatabase(Database, file, migrations)
  if (!result.ok) throw new Error(result.failure.what)
  return result.value.db
}

describe('migrating', () => {
  it('a new database gets every step and needs no backup', async () => {
    const folder = tempFolder()
    const db = await open(join(folder, 'a.db'), TWO_STEPS)
    expect(db.pragma('user_version', { simple: true })).toBe(2)
    db.close()
    expect(readdirSync(folder)).toEqual(['a.db'])
  })

  it('an older database is backed up completely and then upgraded step by step', async () => {
    const folder = tempFolder()
    const file = join(folder, 'a.db')
    const old = await open(file, TWO_STEPS)
    old.prepare('INSERT INTO notes (id, text) VALUES (1, ?)').run('kept')
    old.close()
    const db = await open(file, THREE_STEPS)
    expect(db.prepare('SELECT * FROM notes').all()).toEqual([{ id: 1, text: 'kept', author: 'unknown' }])
    db.close()
    expect(readdirSync(folder).toSorted()).toEqual(['a.db', 'a.db.bak-2'])
    expect(rows(`${file}.bak-2`)).toEqual([{ id: 1, text: 'kept' }])
  })

  it('a failed step changes nothing and is reported, and the backup is kept', async () => {
    const folder = tempFolder()
    const file = join(folder, 'a.db')
    const old = await open(file, TWO_STEPS)
    old.prepare('INSERT INTO notes (id, text) VALUES (1, ?)').run('kept')
    old.close()
    const broken: Migration = { version: 3, apply: (db) => void db.exec('DELETE FROM notes; ALTER TABLE notes ADD COLUMN text TEXT') }
    const result = await openDatabase(Database, file, [...TWO_STEPS, broken])
    expect(result).toMatchObject({ ok: false, failure: { code: 'storage_failed', what: containing('duplicate column') } })
    expect(rows(file)).toEqual([{ id: 1, text: 'kept' }])
    expect(existsSync(`${file}.bak-2`)).toBe(true)
    const db = await open(file, TWO_STEPS)
    expect(db.pragma('user_version', { simple: true })).toBe(2)
    db.close()
  })

  it(
    'a migration killed at any moment leaves an undamaged database, and opening the database again finishes the migration',
    { timeout: 120_000 },
    async () => {
      for (let round = 0; round < 8; round++) {
        const folder = tempFolder()
        const file = join(folder, 'a.db')
        const old = await open(file, TWO_STEPS)
        const insert = old.prepare('INSERT INTO notes (id, text) VALUES (?, ?)')
        old.transaction(() => {
          for (let id = 0; id < 20_000; id++) insert.run(id, `note ${id}`)
        })()
        old.close()
        const child = startChild('migrator', [file])
        await child.next()
        await new Promise((resolve) => setTimeout(resolve, round * 12))
        await child.kill('SIGKILL')
        const db = await open(file, THREE_STEPS)
        expect(db.pragma('user_version', { simple: true })).toBe(3)
        expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
        expect(db.prepare('SELECT count(*), count(author) FROM notes').raw().get()).toEqual([20_000, 20_000])
        db.close()
        if (existsSync(`${file}.bak-2`)) expect((rows(`${file}.bak-2`) as unknown[]).length).toBe(20_000)
      }
    },
  )

  it('several simultaneous processes migrate only once, and all get the newest schema', { timeout: 60_000 }, async () => {
    const file = join(tempFolder(), 'a.db')
    const old = await open(file, TWO_STEPS)
    old.prepare('INSERT INTO notes (id, text) VALUES (1, ?)').run('kept')
    old.close()
    const children = Array.from({ length: 4 }, () => startChild('migrator', [file]))
    await Promise.all(children.map((child) => child.next()))
    expect(await Promise.all(children.map((child) => child.next()))).toEqual(Array(4).fill({ kind: 'done', version: 3 }))
    expect(rows(file)).toEqual([{ id: 1, text: 'kept', author: 'unknown' }])
  })

  it('another program’s database is refused and left unchanged', async () => {
    const file = join(tempFolder(), 'a.db')
    const foreign = new Database(file)
    foreign.exec('CREATE TABLE theirs (x)')
    foreign.close()
    expect(await openDatabase(Database, file, TWO_STEPS)).toMatchObject({ ok: false, failure: { code: 'storage_foreign' } })
    const again = new Database(file)
    expect(again.pragma('journal_mode', { simple: true })).toBe('delete')
    expect(again.pragma('application_id', { simple: true })).not.toBe(APPLICATION_ID)
    again.close()
  })
})

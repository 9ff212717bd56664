import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { storageThreadOf } from '../../../main/compose/stored-session-parts.ts'
import { type CheckpointElsewhere, createCheckpoints } from '../../../main/store/database/checkpoints.ts'
import { createStorageThread } from '../../../main/store/cleaning/storage-thread.ts'
import { DATABASE_FILE } from '../../../main/store/file-names.ts'
import { input, opened, session } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

afterEach(() => void vi.useRealTimers())

/** Returns the number of pages in the journal, and how many of these pages were moved to the database. */
function journal(db: Database.Database): { readonly log: number; readonly checkpointed: number } {
  const [{ log, checkpointed } = { log: 0, checkpointed: 0 }] = db.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
  return { log, checkpointed }
}

function written(pages: number) {
  const db = new Database(join(tempFolder(), 'some.db'))
  onTestFinished(() => void db.close())
  db.pragma('journal_mode = WAL')
  db.pragma('wal_autocheckpoint = 0')
  db.exec('CREATE TABLE pages (bytes BLOB)')
  db.pragma('wal_checkpoint(TRUNCATE)')
  const checkpoints = createCheckpoints(db)
  onTestFinished(() => checkpoints.dispose())
  const write = db.transaction((count: number) => {
    for (let n = 0; n < count; n++) db.prepare('INSERT INTO pages VALUES (?)').run(Buffer.alloc(4_000, n))
  })
  write(pages)
  return { db, checkpoints }
}

it('a large checkpoint is made by the storage thread, or by this thread if that fails', async () => {
  vi.useFakeTimers()
  const { db, checkpoints } = written(600)
  const answers = [true, false]
  const elsewhere = vi.fn(async () => answers.shift() ?? true)
  checkpoints.moveTo(elsewhere)
  checkpoints.wrote()
  await vi.advanceTimersByTimeAsync(1_000)
  expect([elsewhere.mock.calls.length, journal(db).checkpointed]).toEqual([1, 0])
  checkpoints.wrote()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(elsewhere).toHaveBeenCalledTimes(2)
  expect(journal(db).checkpointed).toBe(journal(db).log)
})

it('a small checkpoint needs no other thread', async () => {
  vi.useFakeTimers()
  const { db, checkpoints } = written(20)
  const elsewhere = vi.fn(async () => true)
  checkpoints.moveTo(elsewhere)
  checkpoints.wrote()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(elsewhere).not.toHaveBeenCalled()
  expect(journal(db).checkpointed).toBe(journal(db).log)
})

it('checkpoints are also made while a turn keeps writing, so that the journal does not grow', async () => {
  vi.useFakeTimers()
  const { checkpoints } = written(1_500)
  const elsewhere = vi.fn(async () => true)
  checkpoints.moveTo(elsewhere)
  for (let n = 0; n < 10; n++) {
    checkpoints.wrote()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(elsewhere.mock.calls.length).toBeGreaterThan(1)
})

it('the storage thread moves the whole journal into the file', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  store.log(session('s')).append(input('x'))
  const thread = createStorageThread(folder)
  onTestFinished(() => thread.close())
  expect(await thread.ask({ kind: 'checkpoint' })).toMatchObject({ kind: 'done' })
  const db = new Database(join(folder, DATABASE_FILE))
  onTestFinished(() => void db.close())
  const { log, checkpointed } = journal(db)
  expect(log).toBeGreaterThan(0)
  expect(checkpointed).toBe(log)
})

it('an app with windows lets the storage thread make checkpoints until the app closes, and an app without windows does not', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const given: CheckpointElsewhere[] = []
  const watched = { ...store, moveCheckpoints: (elsewhere: CheckpointElsewhere) => void given.push(elsewhere) }
  await storageThreadOf(watched, folder, false)
  expect(given).toEqual([])
  const thread = await storageThreadOf(watched, folder, true)
  onTestFinished(() => thread.close())
  expect(await given[0]?.()).toBe(true)
  await thread.close()
  expect(await given[0]?.()).toBe(false)
})

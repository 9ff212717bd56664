import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createStorageCleaner } from '../../../main/cleaning/storage-cleaner.ts'
import { deleteSessions } from '../../../main/store/cleaning/delete-sessions.ts'
import { createStorageThread } from '../../../main/store/cleaning/storage-thread.ts'
import { DATABASE_FILE } from '../../../main/store/file-names.ts'
import { CONFIG, input, opened, session } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a fork of a session that does not exist fails and leaves nothing behind', async () => {
  const store = await opened(tempFolder())
  const forking = store.sessions.fork(session('gone'), 1)
  await expect(forking).rejects.toMatchObject({ trouble: { code: 'storage_deleted' } })
  expect([store.sessions.forks().size, store.claims.running().size]).toEqual([0, 0])
})

/** Begins to fork a session that is so long that copying its events takes many slices. */
async function partlyForked(removed: string[] = []) {
  const folder = tempFolder()
  const store = await opened(folder)
  const source = store.sessions.create({ cwd: '/w', ...CONFIG })
  store.log(source).append(input('go'), ...Array.from({ length: 4_000 }, (_, at) => input(`${at}`)))
  const db = new Database(join(folder, DATABASE_FILE))
  onTestFinished(() => void db.close())
  store.onRemoved((ids) => removed.push(...ids))
  const forking = store.sessions.fork(source, Number.MAX_SAFE_INTEGER).catch((error: unknown) => error)
  while (store.sessions.list().length < 2) await new Promise((resolve) => setImmediate(resolve))
  return { folder, store, source, db, forking }
}

test('a fork fails if its source is deleted before copying ends', async () => {
  const { source, db, forking } = await partlyForked()
  deleteSessions(db, [source])
  expect(await forking).toMatchObject({ trouble: { code: 'storage_deleted' } })
})

test('a fork that meets a damaged event fails, is no longer listed, and is deleted completely when storage is next measured', async () => {
  const removed: string[] = []
  const { folder, store, source, db, forking } = await partlyForked(removed)
  db.prepare(`UPDATE events SET event = '{' WHERE seq = (SELECT max(seq) FROM events WHERE session_id = ?)`).run(source)
  expect(await forking).toMatchObject({ trouble: { code: 'storage_corrupt' } })

  expect([store.sessions.list().map(({ sessionId }) => sessionId), store.claims.running().size]).toEqual([[source], 0])
  expect([removed.length, store.health()]).toEqual([1, expect.objectContaining({ onDisk: 1, listed: 1 })])
  const sessions = () => db.prepare('SELECT DISTINCT session_id FROM events').pluck().all()
  expect(sessions()).toHaveLength(2)
  const thread = createStorageThread(folder)
  onTestFinished(() => thread.close())
  const cleaner = createStorageCleaner({ thread, store, ...UNUSED })
  expect(await cleaner.measure()).toMatchObject({ ok: true })
  expect([sessions(), store.sessions.forks().size]).toEqual([[source], 0])
})

const UNUSED = {
  discard: async () => {},
  forgetTexts: async () => {},
  binLayers: async () => {},
  removeCopies: async () => {},
  isPinned: () => false,
}

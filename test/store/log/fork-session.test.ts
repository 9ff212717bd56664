import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { deleteSessions } from '../../../main/store/cleaning/delete-sessions.ts'
import { DATABASE_FILE } from '../../../main/store/open-store.ts'
import { CONFIG, input, opened, session } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a fork of a session that does not exist fails and leaves nothing', async () => {
  const store = await opened(tempFolder())
  const forking = store.sessions.fork(session('gone'), 1)
  await expect(forking).rejects.toMatchObject({ trouble: { code: 'storage_deleted' } })
  expect([store.sessions.forks().size, store.claims.running().size]).toEqual([0, 0])
})

test('a fork fails if its source is deleted before copying ends', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const source = store.sessions.create({ cwd: '/w', ...CONFIG })
  store.log(source).append(input('go'), ...Array.from({ length: 4_000 }, (_, at) => input(`${at}`)))
  const db = new Database(join(folder, DATABASE_FILE))
  onTestFinished(() => void db.close())
  const forking = store.sessions.fork(source, Number.MAX_SAFE_INTEGER).catch((error: unknown) => error)
  while (store.sessions.list().length < 2) await new Promise((resolve) => setImmediate(resolve))
  deleteSessions(db, [source])
  expect(await forking).toMatchObject({ trouble: { code: 'storage_deleted' } })
})

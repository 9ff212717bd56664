import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { SessionConfigured } from '../../shared/session/events.ts'
import { createStarter } from '../../main/sessions/start-session.ts'
import type { Sessions } from '../../main/sessions/sessions.ts'
import { DATABASE_FILE } from '../../main/store/file-names.ts'
import { opened } from '../store/support/stores.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

test('a session starts and its folder is recorded, even if another process is writing to the database', async () => {
  const data = tempFolder()
  const store = await opened(data)
  const other = new Database(join(data, DATABASE_FILE))
  onTestFinished(() => void other.close())
  const session = {}
  const starter = createStarter({
    sessions: {
      create() {
        other.exec('BEGIN IMMEDIATE')
        setTimeout(() => void other.exec('ROLLBACK'), 200)
        return Promise.resolve({ ok: true, value: session })
      },
    } as unknown as Sessions,
    find: (folder) => Promise.resolve({ ok: true, value: folder }),
    mayOpen: () => Promise.resolve(true),
    opened: store.folders.opened,
    defaults: () => ({}) as SessionConfigured,
    placeOf: () => Promise.resolve({}),
    makeSample: () => Promise.resolve(''),
  })
  expect(await starter.start('/work', {})).toEqual({ ok: true, value: session })
  expect(store.folders.recent(2)).toEqual(['/work'])
})

import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { storageThreadOf } from '../../main/compose/stored-session-parts.ts'
import { createHistorySearch, indexAll } from '../../main/history/history-search.ts'
import { DATABASE_FILE } from '../../main/store/file-names.ts'
import { examine } from '../../main/store/doctor/examine.ts'
import { importSession } from '../../main/transfer/import/import-session.ts'
import type { PastSession, Transcript } from '../../main/transfer/import/transcript.ts'
import { ANY } from '../history/any-query.ts'
import { NO_SMALL_DISK, smallDisk } from '../support/small-disk.ts'
import { CONFIG, input, opened, session } from '../store/support/stores.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

/** A session with 2,000 messages, about 2 MB. */
const past = (id: string): PastSession => ({
  id,
  events: [
    { seq: 1, at: 1, event: { kind: 'SESSION_START', sessionId: session(id), cwd: '/w', ...CONFIG } },
    ...Array.from({ length: 2_000 }, (_, at) => ({ seq: at + 2, at: at + 2, event: input(`${at} ${'x'.repeat(1_000)}`) })),
  ],
})
const transcript = (): Transcript => ({
  source: 'countersign',
  sessions: [past('one'), past('two')],
  blobs: new Map(),
  unknown: 0,
  leftOut: new Map(),
})

/** A redactor that calls `then` after this many texts. */
function redactorUntil(texts: number, then: () => void) {
  let seen = 0
  return {
    text(text: string): string {
      if (++seen === texts) then()
      return text
    },
  }
}

test('an import that fails because the disk is full is no longer listed or found, and the doctor finds no damage', async ({ skip }) => {
  const disk = smallDisk(24)
  if (!disk) return skip(NO_SMALL_DISK)
  onTestFinished(() => disk.remove())
  const store = await opened(disk.path)
  const kept = store.sessions.create({ cwd: '/w', ...CONFIG })
  const removed: string[] = []
  store.onRemoved((ids) => removed.push(...ids))
  const importing = importSession(transcript(), { store, redactor: redactorUntil(6_000, disk.fill) })
  await expect(importing).rejects.toMatchObject({ trouble: { code: 'storage_full' } })
  expect([store.sessions.list().map(({ sessionId }) => sessionId), removed.length]).toEqual([[kept], 2])
  disk.free()
  store.log(kept).append(input('after'))
  const search = createHistorySearch(disk.path)
  onTestFinished(() => search.close())
  await indexAll(search)
  expect(await search.search({ ...ANY, words: 'xxx' })).toMatchObject({ ok: true, value: { behind: 0, total: 0 } })
  expect(await examine(Database, disk.path, () => {})).toMatchObject({ onDisk: 1, listed: 1, findings: [] })
})

test('an import that fails while nothing can be written is not listed by this process, and the next launch removes it', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const db = new Database(join(folder, DATABASE_FILE))
  const importing = importSession(transcript(), { store, redactor: redactorUntil(100, () => db.exec('BEGIN IMMEDIATE')) })
  await expect(importing).rejects.toMatchObject({ trouble: { code: 'storage_locked' } })
  expect(store.sessions.list()).toEqual([])
  db.close()
  store.close()
  const next = await opened(folder)
  expect(next.sessions.incomplete()).toHaveLength(2)
  const thread = await storageThreadOf(next, folder, false)
  onTestFinished(() => thread.close())
  expect([next.sessions.incomplete(), next.sessions.list(), next.health()]).toEqual([[], [], expect.objectContaining({ onDisk: 0 })])
})

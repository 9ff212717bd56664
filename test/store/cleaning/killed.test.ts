import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createStorageThread } from '../../../main/store/cleaning/storage-thread.ts'
import { DATABASE_FILE } from '../../../main/store/file-names.ts'
import type { BlobHash, SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { callStart, CONFIG, input, opened } from '../support/stores.ts'
import { startChild } from '../support/child.ts'
import { tempFolder } from '../support/temp-folder.ts'

const EVENTS = 3_000

/** Returns an event that refers to a blob. */
const names = (call: ToolCallId, after: BlobHash): DurableEvent => {
  const sizes = { beforeBytes: 0, afterBytes: 3, beforeMode: null, afterMode: 0o644, lines: null }
  return { kind: 'FILES_CHANGED', toolCallId: call, files: [{ path: '/w/f', shown: 'f', before: null, after, ...sizes }] }
}

/** Creates two sessions with small and large blobs of their own, and one blob that both need. */
async function twoSessions(folder: string) {
  const store = await opened(folder)
  const shared = store.blobs.put(Buffer.from('shared'.repeat(10)))
  const made = (name: string): { readonly id: SessionId; readonly own: readonly BlobHash[] } => {
    const id = store.sessions.create({ cwd: '/w', ...CONFIG })
    const own = [store.blobs.put(Buffer.from(name)), store.blobs.put(Buffer.alloc(100_000, name))]
    const call = 'call' as ToolCallId
    store.log(id).append(callStart(call), names(call, shared), ...own.map((hash) => names(call, hash)))
    for (let at = 0; at < EVENTS; at += 500)
      store
        .log(id)
        .append(input(`${name} ${at}`), ...Array.from({ length: 499 }, (_, more) => input(`${name} ${at + more} ${'x'.repeat(200)}`)))
    return { id, own }
  }
  const both = { gone: made('gone'), kept: made('kept'), shared }
  store.close()
  return both
}

test(
  'a deletion that is killed at any moment finishes at the next launch and does not damage other sessions',
  { timeout: 120_000 },
  async () => {
    for (let round = 0; round < 6; round++) {
      const folder = tempFolder()
      const { gone, kept, shared } = await twoSessions(folder)
      const child = startChild('deleter', [folder, gone.id, gone.own.join(',')])
      await child.next()
      await new Promise((resolve) => setTimeout(resolve, round * 15))
      await child.kill('SIGKILL')

      const thread = createStorageThread(folder)
      onTestFinished(() => thread.close())
      const store = await opened(folder)
      // If the process was killed before the deletion began, there is nothing to finish.
      const wasBegun = store.sessions.get(gone.id) === null
      if (!wasBegun) expect([...store.log(gone.id).read()]).toHaveLength(EVENTS + 5)
      expect(await thread.ask({ kind: 'unfinished' })).toMatchObject({ kind: 'done', bytes: 0 })
      if (!wasBegun) await thread.ask({ kind: 'delete', sessionIds: [gone.id] })
      await thread.ask({ kind: 'sweep', blobs: null, kept: [] })
      expect(store.sessions.list().map(({ sessionId }) => sessionId)).toEqual([kept.id])
      expect([...store.log(kept.id).read()]).toHaveLength(EVENTS + 5)
      expect([shared, ...kept.own].map((hash) => store.blobs.get(hash).length)).toEqual([60, 4, 100_000])
      expect(gone.own.map((hash) => store.blobs.has(hash))).toEqual([false, false])
      store.close()
      const db = new Database(join(folder, DATABASE_FILE))
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
      expect(db.prepare('SELECT DISTINCT session_id FROM events').pluck().all()).toEqual([kept.id])
      db.close()
    }
  },
)

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { StorageError } from '../../../main/agent/storage-error.ts'
import { createRecord } from '../../../main/agent/record/session-record.ts'
import { systemClock } from '../../../main/environment/system-clock.ts'
import { BUSY_TIMEOUT_MS } from '../../../main/store/database/database.ts'
import { input, opened, session } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** So many that one wait per session would take far longer than a busy machine may let this process wait. */
const SESSIONS = 60

/** Locks the database, as another process does while it writes. */
function lockOf(folder: string): { release(): void } {
  const other = new Database(join(folder, 'countersign.db'))
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  return { release: () => void other.exec('ROLLBACK') }
}

it('only the first write waits for a locked store; later writes fail at once; once the lock is released, each iteration of the event loop saves at most one session', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const records = Array.from({ length: SESSIONS }, (_, n) => {
    const record = createRecord({ sessionId: session(`s${n}`), log: store.log(session(`s${n}`)), clock: systemClock })
    onTestFinished(() => record.dispose())
    return record
  })
  const lock = lockOf(folder)
  const times = records.map((record) => {
    const startedAt = performance.now()
    record.append(input('while it is locked'))
    return performance.now() - startedAt
  })
  // A write that waits takes at least this long. On a busy machine, a few that do not wait may take longer too.
  const later = times.slice(1).toSorted((a, b) => a - b)
  expect(later[Math.floor(later.length / 2)]).toBeLessThan(BUSY_TIMEOUT_MS)
  expect(records.every((record) => record.trouble()?.code === 'storage_locked')).toBe(true)
  lock.release()
  const unsaved = (): number => records.filter((record) => record.trouble() !== null).length
  const savedAtOnce: number[] = []
  while (unsaved() > 0) {
    const before = unsaved()
    await new Promise((resolve) => setImmediate(resolve))
    savedAtOnce.push(before - unsaved())
  }
  expect(Math.max(...savedAtOnce)).toBe(1)
  expect(records.map((record) => [record.trouble(), record.unsaved()])).toEqual(records.map(() => [null, []]))
  expect(records.map((record) => [...store.log(record.sessionId).read()].length)).toEqual(records.map(() => 1))
  expect(store.health().trouble).toBeNull()
})

it('once the lock is released, writes wait again for short locks', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const lock = lockOf(folder)
  const write = (): unknown => store.log(session('s')).append(input('x'))
  expect(write).toThrow(StorageError)
  const fails = (): number => {
    const startedAt = performance.now()
    expect(write).toThrow(StorageError)
    return performance.now() - startedAt
  }
  expect(Math.min(fails(), fails(), fails())).toBeLessThan(BUSY_TIMEOUT_MS)
  lock.release()
  write()
  const second = lockOf(folder)
  const waiting = performance.now()
  expect(write).toThrow(StorageError)
  expect(performance.now() - waiting).toBeGreaterThan(BUSY_TIMEOUT_MS * 0.5)
  second.release()
})

it('while another process holds the lock, a small blob is stored as a file and can be read at once', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const stored = store.blobs.put(Buffer.from('stored before'))
  const lock = lockOf(folder)
  expect([store.blobs.put(Buffer.from('stored before')), store.blobs.path(stored)]).toEqual([stored, null])
  const content = store.blobs.put(Buffer.from('the file before the edit'))
  const spool = store.blobs.openSpool()
  spool.write(Buffer.from('the output of a command'))
  const output = spool.end()
  if (!output) throw new Error('the spool is empty')
  const read = () => [content, output.hash].map((hash) => Buffer.from(store.blobs.get(hash)).toString())
  expect(read()).toEqual(['the file before the edit', 'the output of a command'])
  expect([content, output.hash].map((hash) => existsSync(store.blobs.path(hash) ?? ''))).toEqual([true, true])
  lock.release()
  expect(store.blobs.put(Buffer.from('the file before the edit'))).toBe(content)
  expect(read()).toEqual(['the file before the edit', 'the output of a command'])
})

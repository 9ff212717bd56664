import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createDiskSync } from '../../../main/store/database/disk-sync.ts'
import { StorageError } from '../../../main/agent/storage-error.ts'
import { DATABASE_FILE } from '../../../main/store/file-names.ts'
import { openStore } from '../../../main/store/open-store.ts'
import { gate } from '../../support/scripted-model.ts'
import { input, opened, session } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

function journal(): string {
  const file = join(tempFolder(), 'db-wal')
  writeFileSync(file, 'frames')
  return file
}

const brokenDisk = (): Promise<void> => Promise.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
const ignored = (): void => {}

/** A store whose journal cannot be synced, nor moved into the file as long as `reader` reads it. */
async function onBrokenDisk(folder = tempFolder()) {
  const result = await openStore(folder, { sync: brokenDisk })
  if (!result.ok) throw new Error(result.failure.what)
  const store = result.value
  onTestFinished(() => store.close())
  const log = store.log(session('s'))
  log.append(input('before'))
  const reader = new Database(join(folder, DATABASE_FILE))
  onTestFinished(() => void reader.close())
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM events').get()
  return { store, log, reader }
}

it('if nobody waits for them, commits are synced together a few milliseconds later', async () => {
  const sync = vi.fn(() => Promise.resolve())
  const disk = createDiskSync({ journal: journal(), rewrite: () => false, sync })
  onTestFinished(() => disk.dispose())
  for (let n = 0; n < 100; n++) disk.wrote(ignored)
  expect(sync).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(sync).toHaveBeenCalledOnce())
  await disk.done()
  expect(sync).toHaveBeenCalledOnce()
})

it('a commit that is made during a sync needs another one', async () => {
  const held = gate()
  const sync = vi.fn(() => (sync.mock.calls.length === 1 ? held.opened : Promise.resolve()))
  const disk = createDiskSync({ journal: journal(), rewrite: () => false, sync })
  onTestFinished(() => disk.dispose())
  disk.wrote(ignored)
  const first = disk.done()
  disk.wrote(ignored)
  const second = disk.done()
  held.open()
  await first
  await second
  expect(sync).toHaveBeenCalledTimes(2)
})

it('after a failed sync, only a complete rewrite counts, even if the next sync would report success', async () => {
  const results = [brokenDisk]
  const sync = vi.fn(() => results.shift()?.() ?? Promise.resolve())
  const rewrite = vi.fn(() => rewrite.mock.calls.length === 3)
  const disk = createDiskSync({ journal: journal(), rewrite, sync })
  onTestFinished(() => disk.dispose())
  disk.wrote(ignored)
  const both = await Promise.allSettled([disk.done(), disk.done()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(disk.done()).rejects.toThrow('EIO')
  expect(disk.isBroken()).toBe(true)
  await disk.done()
  expect([disk.isBroken(), sync.mock.calls.length]).toEqual([false, 1])
})

it('an append does not wait for a slow disk', async () => {
  const held = gate()
  const result = await openStore(tempFolder(), { sync: () => held.opened })
  if (!result.ok) throw new Error(result.failure.what)
  const store = result.value
  onTestFinished(() => store.close())
  const log = store.log(session('s'))
  log.append(input('while the disk is slow'))
  expect([...log.read()]).toHaveLength(1)
  let isOnDisk = false
  const saved = log.onDisk().then(() => (isOnDisk = true))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isOnDisk).toBe(false)
  held.open()
  await saved
})

it('closing a store during a sync causes no error for those who wait for the sync', async () => {
  const held = gate()
  const sync = vi.fn(() => held.opened)
  const disk = createDiskSync({ journal: journal(), rewrite: () => false, sync })
  disk.wrote(ignored)
  const saved = disk.done()
  disk.dispose()
  held.open()
  await saved
  await disk.done()
  expect(sync).toHaveBeenCalledOnce()
})

it('a failing disk is the store’s trouble until everything is written, even if nobody waits and further commits succeed', async () => {
  const { store, log, reader } = await onBrokenDisk()
  log.append(input('x'))
  await vi.waitFor(() => expect(store.trouble()).toMatchObject({ code: 'storage_failed' }))
  expect(store.trouble()?.what).toContain('i/o error')
  log.append(input('y'))
  expect(store.trouble()).toMatchObject({ code: 'storage_failed' })
  await expect(log.onDisk()).rejects.toThrow(StorageError)
  reader.exec('COMMIT')
  await log.onDisk()
  log.append(input('z'))
  expect(store.trouble()).toBeNull()
})

it('the journal of a real store can be synced, even if the database is a link to a file elsewhere', async () => {
  const folder = tempFolder()
  const elsewhere = join(tempFolder(), 'real.db')
  symlinkSync(elsewhere, join(folder, DATABASE_FILE))
  writeFileSync(elsewhere, '')
  for (const store of [await opened(tempFolder()), await opened(folder)]) {
    store.log(session('s')).append(input('x'))
    await store.log(session('s')).onDisk()
  }
})

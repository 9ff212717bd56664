import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createDiskSync } from '../../../main/store/database/disk-sync.ts'
import { StorageError } from '../../../main/agent/storage-error.ts'
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

it('commits that nobody waits for reach the disk together, a few milliseconds later', async () => {
  const sync = vi.fn(() => Promise.resolve())
  const disk = createDiskSync(journal(), sync)
  onTestFinished(() => disk.dispose())
  for (let n = 0; n < 100; n++) disk.wrote()
  expect(sync).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(sync).toHaveBeenCalledOnce())
  await disk.done()
  expect(sync).toHaveBeenCalledOnce()
})

it('a commit that is made during a sync needs another one', async () => {
  const held = gate()
  const sync = vi.fn(() => (sync.mock.calls.length === 1 ? held.opened : Promise.resolve()))
  const disk = createDiskSync(journal(), sync)
  onTestFinished(() => disk.dispose())
  disk.wrote()
  const first = disk.done()
  disk.wrote()
  const second = disk.done()
  held.open()
  await first
  await second
  expect(sync).toHaveBeenCalledTimes(2)
})

it('a sync that failed is tried again, and each one who waits gets the error', async () => {
  const results = [brokenDisk, () => Promise.resolve()]
  const disk = createDiskSync(journal(), () => (results.shift() ?? brokenDisk)())
  onTestFinished(() => disk.dispose())
  disk.wrote()
  const [one, two] = await Promise.allSettled([disk.done(), disk.done()])
  expect([one, two].map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await disk.done()
})

it('an append does not wait for a slow disk, and closing the store syncs what is left', async () => {
  const held = gate()
  const folder = tempFolder()
  const result = await openStore(folder, { sync: () => held.opened })
  if (!result.ok) throw new Error(result.failure.what)
  const store = result.value
  const log = store.log(session('s'))
  log.append(input('while the disk is slow'))
  expect([...log.read()]).toHaveLength(1)
  let isOnDisk = false
  const saved = log.onDisk().then(() => (isOnDisk = true))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isOnDisk).toBe(false)
  held.open()
  await saved
  store.close()
  expect([...(await opened(folder)).log(session('s')).read()]).toHaveLength(1)
})

it('a disk that fails is the store’s trouble until a write succeeds', async () => {
  const result = await openStore(tempFolder(), { sync: brokenDisk })
  if (!result.ok) throw new Error(result.failure.what)
  const store = result.value
  onTestFinished(() => store.close())
  const log = store.log(session('s'))
  log.append(input('x'))
  await expect(log.onDisk()).rejects.toThrow(StorageError)
  expect(store.trouble()).toMatchObject({ code: 'storage_failed', what: expect.stringContaining('i/o error') as unknown })
  log.append(input('y'))
  expect(store.trouble()).toBeNull()
})

it('the journal of a real store can be synced', async () => {
  const store = await opened(tempFolder())
  store.log(session('s')).append(input('x'))
  await store.log(session('s')).onDisk()
})

import { expect, onTestFinished, test, vi } from 'vitest'
import type { SessionId } from '../../shared/lib/ids.ts'
import { createStorageCleaner, type StorageCleanerParts } from '../../main/cleaning/storage-cleaner.ts'
import type { StorageJob, StorageReply } from '../../main/store/cleaning/storage-thread.ts'

const WEIGHT = { events: 1, blobs: 1, shared: 0 }
const REPLIES: Partial<Record<StorageJob['kind'], StorageReply>> = {
  weigh: { kind: 'weigh', weight: WEIGHT, sessionIds: ['s' as SessionId], blobs: ['b'] },
  vacuum: { kind: 'vacuum', more: false, database: 0 },
}

test('after a deletion, the removal of unused data waits until no other process uses the database', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let isShared = true
  const jobs: StorageJob['kind'][] = []
  const parts = {
    thread: {
      ask(job: StorageJob) {
        jobs.push(job.kind)
        return Promise.resolve(REPLIES[job.kind] ?? { kind: 'done', bytes: 0 })
      },
      close: () => Promise.resolve(),
    },
    store: {
      sessions: { unfinished: () => Promise.resolve([]), get: () => null },
      claims: { running: () => new Set(), holder: () => null, acquire: () => ({ ok: true }) },
      blobs: { recentlyPut: () => [] },
      isShared: () => isShared,
      forget() {},
    },
    discard: () => Promise.resolve(),
    forgetTexts: () => Promise.resolve(),
    binLayers: () => Promise.resolve(),
    removeCopies: () => Promise.resolve(),
    isPinned: () => false,
  } as unknown as StorageCleanerParts
  const cleaner = createStorageCleaner(parts)
  onTestFinished(() => cleaner.close())
  expect(await cleaner.delete(['s' as SessionId], WEIGHT)).toMatchObject({ kind: 'deleted' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(jobs).toEqual(['weigh', 'delete', 'vacuum'])
  isShared = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(jobs.slice(3)).toEqual(['sweep', 'vacuum'])
})

test('a clean-up removes nothing if another process opens the history while unused data is measured', async () => {
  let isShared = false
  const jobs: StorageJob['kind'][] = []
  const parts = {
    thread: {
      ask(job: StorageJob) {
        jobs.push(job.kind)
        isShared = true
        return Promise.resolve({ kind: 'done', bytes: 0 })
      },
    },
    store: {
      sessions: { unfinished: () => Promise.resolve([]) },
      claims: { running: () => new Set() },
      blobs: { recentlyPut: () => [] },
      isShared: () => isShared,
    },
  } as unknown as StorageCleanerParts
  expect(await createStorageCleaner(parts).clean()).toMatchObject({ kind: 'refused', trouble: { code: 'storage_shared' } })
  expect(jobs).toEqual(['measure'])
})

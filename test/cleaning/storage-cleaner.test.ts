import { expect, test } from 'vitest'
import { createStorageCleaner, type StorageCleanerParts } from '../../main/cleaning/storage-cleaner.ts'
import type { StorageJob } from '../../main/store/cleaning/storage-thread.ts'

test('a clean-up removes nothing if another process opened the history during the measurement', async () => {
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

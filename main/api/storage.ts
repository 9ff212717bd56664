import type { AppHandlers } from '../../shared/api/contract.ts'
import type { CleanOutcome, DeletionOutcome } from '../../shared/api/storage.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { StorageCleaner } from '../cleaning/storage-cleaner.ts'
import { unlessStorageFails } from './storage-failures.ts'

export function storageHandlers(cleaner: StorageCleaner): AppHandlers['storage'] {
  const refused = (trouble: Trouble) => ({ kind: 'refused', trouble }) as const
  return {
    async size() {
      const found = await cleaner.size()
      return found.ok ? { ok: true, bytes: found.value } : { ok: false, trouble: found.failure }
    },
    async measure() {
      const found = await cleaner.measure()
      return found.ok ? { ok: true, report: found.value } : { ok: false, trouble: found.failure }
    },
    async weigh({ sessionIds }) {
      const found = await cleaner.weigh(sessionIds)
      return found.ok ? { ok: true, weight: found.value } : { ok: false, trouble: found.failure }
    },
    delete: ({ sessionIds, shown }) => unlessStorageFails<DeletionOutcome>(() => cleaner.delete(sessionIds, shown), refused),
    clean: () => unlessStorageFails<CleanOutcome>(() => cleaner.clean(), refused),
  }
}

import type { AppHandlers } from '../../shared/api/contract.ts'
import type { CleanOutcome, DeletionOutcome, LayersReport } from '../../shared/api/storage.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { StorageCleaner } from '../cleaning/storage-cleaner.ts'
import type { LayerBin } from '../store/layers/layer-bin.ts'
import { unlessStorageFails } from './storage-failures.ts'

export interface StoredLayers {
  readonly bin: Pick<LayerBin, 'drop'>
  stored(): Promise<{ readonly layers: LayersReport['layers']; readonly binned: LayersReport['bin'] }>
}

export function storageHandlers(cleaner: StorageCleaner, layers: StoredLayers): AppHandlers['storage'] {
  const report = async (): Promise<LayersReport> => {
    const { layers: onDisk, binned } = await layers.stored()
    return {
      layers: onDisk.map(({ sessionId, bytes }) => ({ sessionId, bytes })),
      bin: binned.map(({ sessionId, title, folder, bytes, files }) => ({ sessionId, title, folder, bytes, files })),
    }
  }
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
    layers: () => report(),
    async dropBinned({ sessionId }) {
      await layers.bin.drop(sessionId)
      return report()
    },
    async weigh({ sessionIds }) {
      const found = await cleaner.weigh(sessionIds)
      return found.ok ? { ok: true, weight: found.value } : { ok: false, trouble: found.failure }
    },
    delete: ({ sessionIds, shown }) => unlessStorageFails<DeletionOutcome>(() => cleaner.delete(sessionIds, shown), refused),
    clean: () => unlessStorageFails<CleanOutcome>(() => cleaner.clean(), refused),
  }
}

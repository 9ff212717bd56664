import type { SessionId } from '../../../shared/lib/ids.ts'
import { PROJECTION_VERSION } from './projection.ts'
import type { Rebuild } from './rebuild.ts'
import type { SessionRows } from './session-rows.ts'
import { asStorageError } from '../database/storage-trouble.ts'

export interface RebuildOnFirstUseParts {
  readonly rows: SessionRows
  readonly rebuild: Rebuild
  readonly isShadowed: boolean
  readonly file: string
  readonly read: <T>(work: () => T) => T
}

/** When a session is first used, rebuilds its data if another version of the fold derived it. */
export interface RebuildOnFirstUse {
  /** Rebuilds the data in one step unless the caller awaited `prepare`. */
  ready(sessionId: SessionId): void
  /** Rebuilds the data in slices. Concurrent calls for one session share the work. */
  prepare(sessionId: SessionId): Promise<void>
}

export function createRebuildOnFirstUse({ rows, rebuild, isShadowed, file, read }: RebuildOnFirstUseParts): RebuildOnFirstUse {
  /** Sessions whose derived rows have the version `PROJECTION_VERSION`. */
  const prepared = new Set<SessionId>()
  const preparing = new Map<SessionId, Promise<void>>()
  const isStale = (sessionId: SessionId): boolean => {
    if (prepared.has(sessionId)) return false
    const version = read(() => rows.version(sessionId))
    if (version === null) return false
    if (isShadowed || version !== PROJECTION_VERSION) return true
    prepared.add(sessionId)
    return false
  }
  const rebuilt = async (sessionId: SessionId): Promise<void> => {
    try {
      await rebuild.inSlices(sessionId)
      prepared.add(sessionId)
    } catch (error) {
      throw asStorageError(error, file)
    }
  }
  return {
    ready(sessionId) {
      if (!isStale(sessionId)) return
      rebuild.now(sessionId)
      prepared.add(sessionId)
    },
    async prepare(sessionId) {
      if (!isStale(sessionId)) return
      const coming = preparing.get(sessionId) ?? rebuilt(sessionId).finally(() => preparing.delete(sessionId))
      preparing.set(sessionId, coming)
      await coming
    },
  }
}

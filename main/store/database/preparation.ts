import type { SessionId } from '../../../shared/lib/ids.ts'
import { PROJECTION_VERSION } from '../log/projection.ts'
import type { Rebuild } from '../log/rebuild.ts'
import type { SessionRows } from '../log/session-rows.ts'
import { asStorageError } from './storage-trouble.ts'

export interface PreparationParts {
  readonly rows: SessionRows
  readonly rebuild: Rebuild
  readonly isShadowed: boolean
  readonly file: string
  readonly read: <T>(work: () => T) => T
}

/** What another version of the fold derived is made anew, each session's when it is first used. */
export interface Preparation {
  /** At once, for whoever has not waited for `prepare`. */
  ready(sessionId: SessionId): void
  /** In slices; of several who ask at once it is done for all. */
  prepare(sessionId: SessionId): Promise<void>
}

export function createPreparation({ rows, rebuild, isShadowed, file, read }: PreparationParts): Preparation {
  /** Sessions whose derived rows are those of this version. */
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

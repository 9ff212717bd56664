import { createStore, type StoreApi } from 'zustand/vanilla'
import { BlobHash, type SessionId } from '../../../../shared/lib/ids.ts'
import { MAX_PICTURES, type Picture } from '../../../../shared/session/content.ts'
import { readStored, type BrowserStorage, writeStored } from '../browser-storage.ts'

/** Pictures of unsent messages, by session. Main stores their bytes. The list survives a reload. */
export interface DraftPictures {
  readonly store: StoreApi<ReadonlyMap<SessionId, readonly Picture[]>>
  get(sessionId: SessionId): readonly Picture[]
  /** Adds pictures without duplicates, up to the maximum number per message. */
  add(sessionId: SessionId, ...pictures: readonly Picture[]): void
  remove(sessionId: SessionId, hash: BlobHash): void
  clear(sessionId: SessionId): void
}

const NO_PICTURES: readonly Picture[] = []

export function createDraftPictures(storage: BrowserStorage | null): DraftPictures {
  const store = createStore<ReadonlyMap<SessionId, readonly Picture[]>>(() => new Map())
  const noted = new Map<SessionId, readonly Picture[]>()
  const get = (sessionId: SessionId): readonly Picture[] => {
    const known = store.getState().get(sessionId) ?? noted.get(sessionId)
    if (known) return known
    const read = remembered(readStored(storage, keyOf(sessionId)))
    // The array is kept, so that every call returns the same array.
    noted.set(sessionId, read)
    return read
  }
  const set = (sessionId: SessionId, pictures: readonly Picture[]): void => {
    store.setState((all) => new Map(all).set(sessionId, pictures), true)
    writeStored(storage, keyOf(sessionId), pictures.length === 0 ? null : JSON.stringify(pictures))
  }
  return {
    store,
    get,
    add(sessionId, ...pictures) {
      const all = new Map([...get(sessionId), ...pictures].map((picture) => [picture.hash, picture]))
      set(sessionId, [...all.values()].slice(0, MAX_PICTURES))
    },
    remove(sessionId, hash) {
      set(
        sessionId,
        get(sessionId).filter((picture) => picture.hash !== hash),
      )
    },
    clear: (sessionId) => set(sessionId, NO_PICTURES),
  }
}

const keyOf = (sessionId: SessionId): string => `countersign.draft-pictures.${sessionId}`

/** Returns the valid entries of a stored list. */
function remembered(note: string | null): readonly Picture[] {
  try {
    const stored: unknown = JSON.parse(note ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPicture) : NO_PICTURES
  } catch {
    return NO_PICTURES
  }
}

function isPicture(value: unknown): value is Picture {
  if (typeof value !== 'object' || value === null) return false
  const { kind, hash, mediaType, bytes } = value as Partial<Picture>
  return kind === 'picture' && BlobHash.safeParse(hash).success && typeof mediaType === 'string' && typeof bytes === 'number'
}

import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { readStored, type BrowserStorage, writeStored } from '../browser-storage.ts'

/** Unsent text of one kind by session. It survives a reload. Each session has its own storage key, so that two windows do not overwrite each other. */
export interface Drafts {
  readonly store: StoreApi<ReadonlyMap<SessionId, string>>
  /** The current draft. Empty if there is none. */
  get(sessionId: SessionId): string
  set(sessionId: SessionId, text: string): void
  /** Stores all changes now, before the window closes. */
  flush(): void
}

/** Delay in ms before a change is stored. */
const WRITE_AFTER_MS = 300

/** `kind` is the first part of the storage keys. */
export function createDrafts(storage: BrowserStorage | null, kind: 'draft' | 'note' = 'draft'): Drafts {
  const store = createStore<ReadonlyMap<SessionId, string>>(() => new Map())
  const keyOf = (sessionId: SessionId): string => `countersign.${kind}.${sessionId}`
  const unwritten = new Set<SessionId>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const get = (sessionId: SessionId): string => store.getState().get(sessionId) ?? readStored(storage, keyOf(sessionId)) ?? ''
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    for (const sessionId of unwritten) writeStored(storage, keyOf(sessionId), store.getState().get(sessionId) || null)
    unwritten.clear()
  }
  return {
    store,
    get,
    set(sessionId, text) {
      store.setState((drafts) => new Map(drafts).set(sessionId, text), true)
      unwritten.add(sessionId)
      // An empty draft is stored at once, so that a sent message does not come back after a reload.
      if (text === '') flush()
      else timer ??= setTimeout(flush, WRITE_AFTER_MS)
    },
    flush,
  }
}

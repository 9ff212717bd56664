import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { readNote, type Shelf, writeNote } from './shelf.ts'

/** Words that were written and not sent, by session. They survive a reload; each session has a note of its own, so two windows do not overwrite each other's. */
export interface Drafts {
  readonly store: StoreApi<ReadonlyMap<SessionId, string>>
  /** The draft as it stands; empty when there is none. */
  get(sessionId: SessionId): string
  set(sessionId: SessionId, text: string): void
  /** Writes down what is not yet, now: before the window goes. */
  flush(): void
}

/** How long after a key the draft is written down (ms): not for each letter, and never more than a word late. */
const WRITE_AFTER_MS = 300

export function createDrafts(shelf: Shelf | null): Drafts {
  const store = createStore<ReadonlyMap<SessionId, string>>(() => new Map())
  const unwritten = new Set<SessionId>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const get = (sessionId: SessionId): string => store.getState().get(sessionId) ?? readNote(shelf, keyOf(sessionId)) ?? ''
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    for (const sessionId of unwritten) writeNote(shelf, keyOf(sessionId), store.getState().get(sessionId) || null)
    unwritten.clear()
  }
  return {
    store,
    get,
    set(sessionId, text) {
      store.setState((drafts) => new Map(drafts).set(sessionId, text), true)
      unwritten.add(sessionId)
      // an empty field is written down at once: a message that was sent must not come back with a reload
      if (text === '') flush()
      else timer ??= setTimeout(flush, WRITE_AFTER_MS)
    },
    flush,
  }
}

const keyOf = (sessionId: SessionId): string => `countersign.draft.${sessionId}`

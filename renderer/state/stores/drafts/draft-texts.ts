import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { readStored, type BrowserStorage, writeStored } from '../browser-storage.ts'

/** Pasted texts with more characters or lines than these limits become attachments, so that the message remains readable. */
const LONG_CHARACTERS = 4_000
const LONG_LINES = 60

/** Long pasted texts of unsent messages, by session. They survive a reload. */
export interface DraftTexts {
  readonly store: StoreApi<ReadonlyMap<SessionId, readonly string[]>>
  get(sessionId: SessionId): readonly string[]
  set(sessionId: SessionId, texts: readonly string[]): void
}

const NONE: readonly string[] = []

export function createDraftTexts(storage: BrowserStorage | null): DraftTexts {
  const store = createStore<ReadonlyMap<SessionId, readonly string[]>>(() => new Map())
  // Every call must return the same array, because React compares it.
  const noted = new Map<SessionId, readonly string[]>()
  return {
    store,
    get(sessionId) {
      const known = store.getState().get(sessionId) ?? noted.get(sessionId)
      if (known) return known
      const read = remembered(readStored(storage, keyOf(sessionId)))
      noted.set(sessionId, read)
      return read
    },
    set(sessionId, texts) {
      store.setState((all) => new Map(all).set(sessionId, texts), true)
      writeStored(storage, keyOf(sessionId), texts.length === 0 ? null : JSON.stringify(texts))
    },
  }
}

export function isLongText(text: string): boolean {
  return text.length > LONG_CHARACTERS || linesIn(text) > LONG_LINES
}

export const linesIn = (text: string): number => text.split('\n').length

const keyOf = (sessionId: SessionId): string => `countersign.draft-texts.${sessionId}`

function remembered(note: string | null): readonly string[] {
  try {
    const stored: unknown = JSON.parse(note ?? '[]')
    return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string') : NONE
  } catch {
    return NONE
  }
}

import type { SessionStreamItem } from '../../shared/api/sessions.ts'
import type { AnyEnvelope } from '../../shared/session/events.ts'
import { foldAll } from '../../shared/session/fold.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { SessionRecord } from '../agent/record.ts'
import type { SessionStore } from './session-store.ts'

/** Entries of the last page that a client gets first. */
export const PAGE = 100
/** A client that missed more than this gets the page anew instead. */
const MOST_MISSED = 5_000

export interface WatchParts {
  readonly record: SessionRecord
  readonly store: Pick<SessionStore, 'ledger' | 'eventsAfter'>
}

/** The state with the last page of the ledger, what is being written at this moment included. */
export function snapshotOf({ record, store }: WatchParts, limit: number): SessionState {
  const now = record.state()
  const stored = store.ledger.snapshot(record.sessionId, limit)
  if (!stored) return now
  const tails = new Map(now.items.map((item) => [item.id, item]))
  const items = stored.items.map((item) => {
    const own = tails.get(item.id)
    return item.kind === 'call' && own?.kind === 'call' ? { ...item, tail: own.tail } : item
  })
  return { ...foldAll({ ...stored, items }, record.unsaved()), live: now.live }
}

/**
 * What a window is told of a session: with `cursor` null a snapshot, else what followed that cursor (or `reset` and a snapshot, when that
 * cannot be told), then every event as it comes. What comes faster than it is taken is handed over in one piece. Ends with the signal.
 */
export async function* watchSession(parts: WatchParts, cursor: number | null, signal: AbortSignal): AsyncGenerator<SessionStreamItem> {
  const { record } = parts
  let coming: AnyEnvelope[] = []
  let wake: () => void = () => {}
  const subscription = record.subscribe((envelope) => {
    coming.push(envelope)
    wake()
  })
  const end = (): void => wake()
  signal.addEventListener('abort', end)
  try {
    yield* beginning(parts, cursor)
    while (!signal.aborted) {
      const envelopes = coming
      coming = []
      if (envelopes.length > 0) yield { kind: 'events', envelopes }
      else {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        if (coming.length === 0 && !signal.aborted) await promise
      }
    }
  } finally {
    signal.removeEventListener('abort', end)
    subscription.dispose()
  }
}

function* beginning(parts: WatchParts, cursor: number | null): Iterable<SessionStreamItem> {
  const snapshot = (): SessionStreamItem => ({ kind: 'snapshot', state: snapshotOf(parts, PAGE) })
  if (cursor === null) {
    yield snapshot()
    return
  }
  const missed = missedSince(parts, cursor)
  if (missed === null) {
    yield { kind: 'reset', why: 'What is known there cannot be continued.' }
    yield snapshot()
  } else if (missed.length > 0) yield { kind: 'events', envelopes: missed }
}

/** Null: the cursor is not one of this log, or too much has happened since. */
function missedSince({ record, store }: WatchParts, cursor: number): readonly AnyEnvelope[] | null {
  if (cursor > record.state().cursor || !Number.isInteger(cursor)) return null
  const missed: AnyEnvelope[] = []
  for (const envelope of store.eventsAfter(record.sessionId, cursor)) {
    if (missed.push(envelope) > MOST_MISSED) return null
  }
  return [...missed, ...record.unsaved()]
}

import type { SessionId } from '../../../shared/lib/ids.ts'
import type { DurableEvent, Envelope } from '../../../shared/session/events.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'
import type { Store } from '../../store/store.ts'

export interface ExportParts {
  readonly store: Pick<Store, 'sessions' | 'eventsAfter' | 'blobs' | 'log'>
  readonly redactor: Pick<Redactor, 'text'>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** One session and the complete fold of its log, with known keys hidden. */
export interface ReadSession {
  readonly sessionId: SessionId
  readonly state: SessionState
}

/** A session and all its subagents. The session comes first, and each child comes after its parent. */
export function familyOf({ store }: Pick<ExportParts, 'store'>, root: SessionId): readonly SessionId[] {
  const all = store.sessions.list()
  const below = (id: SessionId): readonly SessionId[] => [
    id,
    ...all
      .filter(({ parent }) => parent?.sessionId === id)
      .toReversed()
      .flatMap(({ sessionId }) => below(sessionId)),
  ]
  return below(root)
}

/** A session's stored events in order, with known keys hidden in every text. Works in slices. */
export async function* redactedEvents({ store, redactor }: ExportParts, sessionId: SessionId): AsyncGenerator<Envelope> {
  const slice = createSlices()
  for (const batch of store.eventsAfter(sessionId, 0))
    for (const envelope of batch) {
      yield { ...envelope, event: withoutKeys(envelope.event, redactor) }
      await slice()
    }
}

export async function readSession(parts: ExportParts, sessionId: SessionId): Promise<ReadSession> {
  let state = emptySession(sessionId)
  let batch: Envelope[] = []
  for await (const envelope of redactedEvents(parts, sessionId)) {
    batch.push(envelope)
    if (batch.length < FOLDED_AT_ONCE) continue
    state = foldAll(state, batch)
    batch = []
  }
  return { sessionId, state: foldAll(state, batch) }
}

/** Number of events that are folded at once. Each fold copies the list of entries once. */
const FOLDED_AT_ONCE = 500

/** An event with known keys hidden in every text. */
export function withoutKeys(event: DurableEvent, redactor: Pick<Redactor, 'text'>): DurableEvent {
  return redactedValue(event, redactor) as DurableEvent
}

function redactedValue(value: unknown, redactor: Pick<Redactor, 'text'>): unknown {
  if (typeof value === 'string') return redactor.text(value)
  if (Array.isArray(value)) return value.map((one) => redactedValue(one, redactor))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redactedValue(one, redactor)]))
}

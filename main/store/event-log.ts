import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { DurableEvent, Envelope } from '../../shared/session/events.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { EventLog } from '../agent/ports/event-log.ts'
import type { Connection } from './database.ts'
import type { EventRows } from './event-rows.ts'
import type { Ledger } from './ledger.ts'
import { emptyProjection, project, projectionOf, rowOf, type Projection, type SessionRow } from './projection.ts'
import type { SessionRows } from './session-rows.ts'
import { oneByOne, type Subscriptions } from './subscriptions.ts'

export interface EventLogParts {
  readonly db: Connection
  readonly events: EventRows
  readonly sessions: SessionRows
  readonly ledger: Ledger
  readonly subscriptions: Subscriptions
  readonly clock: Pick<Clock, 'now'>
  readonly summary: (row: SessionRow) => SessionSummary
  /** Runs a write: refuses it when the store is read-only, and turns what storage throws into a `StorageError`. */
  readonly write: <T>(work: () => T) => T
  readonly read: <T>(work: () => T) => T
}

interface Stored {
  readonly envelopes: readonly Envelope[]
  readonly projection: Projection | null
  readonly row: SessionRow | null
}

const NOTHING: Stored = { envelopes: [], projection: null, row: null }

/** The port `EventLog` over SQLite. What it keeps of a session between two appends is brought up to date when another process has written. */
export function createEventLog(sessionId: SessionId, parts: EventLogParts): EventLog {
  const { db, events, sessions, ledger, subscriptions, clock } = parts
  let known: Projection = emptyProjection(sessionId)

  const current = (): Projection => {
    const cursor = sessions.cursor(sessionId)
    if (cursor === known.state.cursor) return known
    const state = ledger.snapshot(sessionId, 1)
    return state ? projectionOf(state) : emptyProjection(sessionId)
  }

  const store = (batch: readonly DurableEvent[]): Stored => {
    let projection = current()
    let seq = events.last()
    const at = clock.now()
    const envelopes: Envelope[] = []
    for (const event of batch) {
      const envelope: Envelope = { seq: ++seq, sessionId, after: projection.state.cursor || null, at, event }
      const { after, item } = project(projection, envelope)
      events.insert(envelope, item ?? itemOfEndedCall(events, sessionId, event), after.state.steps)
      envelopes.push(envelope)
      projection = after
    }
    const row = rowOf(projection)
    sessions.put(row)
    return { envelopes, projection, row }
  }
  const storing = db.transaction(store)
  /** Null: another process has appended since `seen`, so what would be decided now would not be judged by everything. */
  const deciding = db.transaction((seen: number, decide: () => readonly DurableEvent[]): Stored | null => {
    if (sessions.cursor(sessionId) > seen) return null
    const batch = decide()
    return batch.length > 0 ? store(batch) : NOTHING
  })
  const published = ({ envelopes, projection, row }: Stored): readonly Envelope[] => {
    if (!projection || !row) return envelopes
    known = projection
    subscriptions.deliver(sessionId, envelopes)
    if (subscriptions.allIsHeard) subscriptions.summary(parts.summary(row))
    return envelopes
  }
  /** Tells the subscribers of what other processes appended; returns up to where they know the log now. */
  const catchUp = (): number => {
    const cursor = sessions.cursor(sessionId)
    const told = subscriptions.followed().get(sessionId) ?? cursor
    if (cursor > told) subscriptions.deliver(sessionId, [...events.between(sessionId, told)])
    return cursor
  }
  const outermost = (): void => {
    if (db.inTransaction) throw new Error('append or transact inside transact: return the events from `decide` instead')
  }

  return {
    append: (...batch) =>
      published(
        parts.write(() => {
          outermost()
          setDurability(db, batch)
          return storing.immediate(batch)
        }),
      ),
    transact(decide) {
      outermost()
      for (;;) {
        const seen = parts.read(catchUp)
        const stored = parts.write(() => {
          setDurability(db, null)
          return deciding.immediate(seen, decide)
        })
        if (stored) return published(stored)
      }
    },
    subscribe: (listener) =>
      subscriptions.add(
        sessionId,
        parts.read(() => sessions.cursor(sessionId)),
        oneByOne(listener),
      ),
    publish(event) {
      subscriptions.live({ seq: null, sessionId, at: clock.now(), event })
    },
    *read() {
      const all = parts.read(() => events.between(sessionId, 0))
      for (;;) {
        const next = parts.read(() => all.next())
        if (next.done) return
        yield next.value
      }
    },
  }
}

/** An event of a call that has ended already: seldom, and its entry must still be found. */
function itemOfEndedCall(events: EventRows, sessionId: SessionId, event: DurableEvent): number | null {
  return 'toolCallId' in event ? events.itemOfCall(sessionId, event.toolCallId) : null
}

/**
 * Everything is brought to disk before it is acknowledged (FULL, 0.16 ms), so that it outlives a power cut too, but for events that
 * neither tell a person anything nor come before an effect: they outlive the process (NORMAL, 0.02 ms) and are brought to disk by the next one.
 */
function setDurability(db: Connection, batch: readonly DurableEvent[] | null): void {
  const wanted = batch?.every(mayWait) ? 1 : 2
  if (db.pragma('synchronous', { simple: true }) !== wanted) db.pragma(`synchronous = ${wanted}`)
}

function mayWait(event: DurableEvent): boolean {
  switch (event.kind) {
    case 'REQUEST_CONTEXT':
    case 'TOOL_CALL_START':
    case 'CONTEXT_WARNING':
    case 'LOOP_DETECTION':
      return true
    case 'TOOL_EXECUTION_START':
      return event.effects.length === 0
    default:
      return false
  }
}

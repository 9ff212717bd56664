import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Envelope } from '../../../shared/session/events.ts'
import type { EventLog } from '../../agent/ports/event-log.ts'
import type { SessionRow } from './projection.ts'
import { createSessionWriter, type SessionWriterParts, type Stored } from './session-writer.ts'
import { oneByOne, type Subscriptions } from './subscriptions.ts'

export interface EventLogParts extends SessionWriterParts {
  readonly subscriptions: Subscriptions
  readonly summary: (row: SessionRow) => SessionSummary
  /** Runs a write. Refuses it if the store is read-only, and converts errors of the storage to a `StorageError`. */
  readonly write: <T>(work: () => T) => T
  readonly read: <T>(work: () => T) => T
  /** Resolves when every commit survives a power cut. Rejects with a `StorageError`. */
  readonly onDisk: () => Promise<void>
}

/** Implements the port `EventLog` with SQLite. Events are stored first and delivered to subscribers afterwards. */
export function createEventLog(sessionId: SessionId, parts: EventLogParts): EventLog {
  const { events, sessions, subscriptions, clock, write, read } = parts
  const writer = createSessionWriter(sessionId, parts)

  const published = ({ envelopes, row }: Stored): readonly Envelope[] => {
    subscriptions.deliver(sessionId, envelopes)
    if (row && subscriptions.allIsHeard) subscriptions.summary(parts.summary(row))
    return envelopes
  }
  /** Delivers the events that other processes appended. Returns the last seq that the subscribers now know. */
  const catchUp = (): number => {
    const cursor = sessions.cursor(sessionId)
    const deliveredTo = subscriptions.followed().get(sessionId) ?? cursor
    if (cursor > deliveredTo)
      for (const missed of events.batches(sessionId, { after: deliveredTo })) subscriptions.deliver(sessionId, missed)
    return cursor
  }

  return {
    append: (...batch) => published(write(() => writer.append(batch))),
    transact(decide) {
      for (;;) {
        const seen = read(catchUp)
        const stored = write(() => writer.decide(seen, decide))
        if (stored) return published(stored)
      }
    },
    onDisk: parts.onDisk,
    subscribe(listener) {
      const cursor = read(() => sessions.cursor(sessionId))
      return subscriptions.add(sessionId, cursor, oneByOne(listener))
    },
    publish(event) {
      subscriptions.live({ seq: null, sessionId, at: clock.now(), event })
    },
    *read({ call, ...range } = {}) {
      if (call !== undefined) return yield* read(() => events.ofCall(sessionId, call))
      const all = read(() => events.between(sessionId, { after: 0, ...range }))
      for (;;) {
        const next = read(() => all.next())
        if (next.done) return
        yield next.value
      }
    },
  }
}

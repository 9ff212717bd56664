import type { SessionId } from '../../../shared/lib/ids.ts'
import type { DurableEvent, Envelope } from '../../../shared/session/events.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Connection } from '../database/connection.ts'
import { StorageError } from '../../agent/storage-error.ts'
import { storageTrouble } from '../database/storage-trouble.ts'
import type { EventRows } from './event-rows.ts'
import type { LedgerPages } from './ledger-pages.ts'
import { emptyProjection, project, projectionOf, rowOf, type Projection, type SessionRow } from './projection.ts'
import type { SessionRows } from './session-rows.ts'

/** The result of one transaction. `row` is null if nothing was stored. */
export interface Stored {
  readonly envelopes: readonly Envelope[]
  readonly row: SessionRow | null
}

export interface SessionWriter {
  /**
   * `times` are the times when the events took place, in ms since 1970. Default: now.
   */
  append(batch: readonly DurableEvent[], times?: readonly number[]): Stored
  /**
   * Stores the events that `decide` returns. If the session has events newer than `seen` (a seq), returns null without calling `decide`.
   */
  decide(seen: number, decide: () => readonly DurableEvent[]): Stored | null
}

export interface SessionWriterParts {
  readonly db: Connection
  readonly events: EventRows
  readonly sessions: SessionRows
  readonly ledger: LedgerPages
  readonly clock: Pick<Clock, 'now'>
}

/** Writes a session's events and its row in one transaction. If another process has written in between, loads the session's state again. */
export function createSessionWriter(sessionId: SessionId, { db, events, sessions, ledger, clock }: SessionWriterParts): SessionWriter {
  let known: Projection = emptyProjection(sessionId)
  let exists = sessions.cursor(sessionId) > 0
  /** Without this check, the next event would re-create a session that another process has deleted. */
  const checkExists = (): void => {
    if (exists && sessions.cursor(sessionId) === 0 && !events.has(sessionId))
      throw new StorageError(storageTrouble('storage_deleted', sessionId))
  }

  const current = (): Projection => {
    if (sessions.cursor(sessionId) === known.state.cursor) return known
    const state = ledger.snapshot(sessionId, 1)
    return state ? projectionOf(state) : emptyProjection(sessionId)
  }
  const write = (batch: readonly DurableEvent[], times: readonly number[] = []): Stored & { readonly projection: Projection } => {
    checkExists()
    let projection = current()
    let seq = events.last()
    const now = clock.now()
    const envelopes: Envelope[] = []
    for (const [index, event] of batch.entries()) {
      const at = times[index] ?? now
      const envelope: Envelope = { seq: ++seq, sessionId, after: projection.state.cursor || null, at, event }
      const { after, item } = project(projection, envelope)
      events.insert(envelope, item ?? itemOfEndedCall(events, sessionId, event), after.state.steps)
      envelopes.push(envelope)
      projection = after
    }
    const row = rowOf(projection)
    sessions.put(row)
    return { envelopes, row, projection }
  }
  const appending = db.transaction(write)
  const deciding = db.transaction((seen: number, decide: () => readonly DurableEvent[]) => {
    if (sessions.cursor(sessionId) > seen) return null
    const batch = decide()
    return batch.length > 0 ? write(batch) : { envelopes: [], row: null, projection: known }
  })
  const outermost = (): void => {
    if (db.inTransaction) throw new Error('append or transact inside transact: return the events from `decide` instead')
  }

  return {
    append(batch, times) {
      outermost()
      const stored = appending.immediate(batch, times)
      known = stored.projection
      exists = true
      return stored
    },
    decide(seen, decide) {
      outermost()
      const stored = deciding.immediate(seen, decide)
      if (stored) known = stored.projection
      if (stored?.row) exists = true
      return stored
    },
  }
}

/** The ledger entry of an event that comes after its call has ended. This is rare. */
function itemOfEndedCall(events: EventRows, sessionId: SessionId, event: DurableEvent): number | null {
  return 'toolCallId' in event ? events.derived.itemOfCall(sessionId, event.toolCallId) : null
}

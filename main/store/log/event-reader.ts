import type { SessionId } from '../../../shared/lib/ids.ts'
import type { DurableEvent, Envelope } from '../../../shared/session/events.ts'
import { StorageError } from '../../agent/storage-error.ts'
import type { Connection } from '../database/connection.ts'
import { storageTrouble } from '../database/storage-trouble.ts'

/** A row of `events` without its session. */
export interface EventRow {
  readonly seq: number
  readonly after: number | null
  readonly at: number
  readonly item: number | null
  readonly step: number
  readonly event: string
}

interface SizeRow {
  readonly seq: number
  readonly bytes: number
}

/** A stored envelope, the index of the ledger entry that it adds or changes, and the step number after it. */
export interface StoredEvent {
  readonly envelope: Envelope
  readonly item: number | null
  readonly step: number
  /** Length of the event's JSON. */
  readonly chars: number
}

/** The events with `after` < seq ≤ `to`. Up to `slimTo`, ends of calls are returned without output, model text or details. */
export interface EventRange {
  readonly after: number
  readonly to?: number
  readonly slimTo?: number
}

/**
 * Maximum number of rows and bytes per batch. A batch is parsed in a few milliseconds. No statement is left open between batches, so the
 * caller may write between them.
 */
const BATCH_ROWS = 150
const BATCH_BYTES = 256 * 1024

export const COLUMNS = 'seq, after, at, item, step, event'

/** Reads a session's events in order, one batch at a time. */
export function createEventReader(db: Connection) {
  // SQLite determines the length of a text value without reading the value.
  const sizes = db.prepare<[SessionId, number, number, number], SizeRow>(
    `SELECT seq, octet_length(event) AS bytes FROM events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  )
  const slimSizes = db.prepare<[SessionId, number, number, number], SizeRow>(
    `SELECT seq, coalesce((SELECT octet_length(slim.event) FROM slim_ends slim WHERE slim.seq = events.seq), octet_length(event)) AS bytes
     FROM events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  )
  const range = db.prepare<[SessionId, number, number], EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq`,
  )
  const slimRange = db.prepare<[SessionId, number, number], EventRow>(
    `SELECT seq, after, at, item, step, coalesce((SELECT slim.event FROM slim_ends slim WHERE slim.seq = events.seq), event) AS event
     FROM events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq`,
  )
  function* stored(
    sessionId: SessionId,
    { after, to = Number.MAX_SAFE_INTEGER, slimTo = 0 }: EventRange,
  ): Generator<readonly StoredEvent[]> {
    for (let cursor = after; ;) {
      const isSlim = cursor < slimTo
      const end = isSlim ? Math.min(to, slimTo) : to
      const measured = (isSlim ? slimSizes : sizes).all(sessionId, cursor, end, BATCH_ROWS)
      const upTo = endOfBatch(measured)
      if (upTo === null) {
        if (end === to) return
        cursor = end
        continue
      }
      const rows = (isSlim ? slimRange : range).all(sessionId, cursor, upTo)
      yield rows.map((row) => ({ envelope: envelopeOf(sessionId, row), item: row.item, step: row.step, chars: row.event.length }))
      cursor = upTo
    }
  }
  function* batches(sessionId: SessionId, wanted: EventRange): Generator<readonly Envelope[]> {
    for (const batch of stored(sessionId, wanted)) yield batch.map((one) => one.envelope)
  }
  return {
    /** Like `batches`, but includes the data that was derived from each event. */
    stored,
    batches,
    *between(sessionId: SessionId, wanted: EventRange): Generator<Envelope> {
      for (const batch of batches(sessionId, wanted)) yield* batch
    },
  }
}

export function envelopeOf(sessionId: SessionId, { seq, after, at, event }: EventRow): Envelope {
  return { seq, sessionId, after, at, event: parseEvent(event, seq) }
}

/** The last seq of the next batch; null if there are no more events. */
function endOfBatch(rows: readonly SizeRow[]): number | null {
  let bytes = 0
  let end: number | null = null
  for (const row of rows) {
    bytes += row.bytes
    if (end !== null && bytes > BATCH_BYTES) break
    end = row.seq
  }
  return end
}

/** Only valid JSON is ever stored, so text that cannot be parsed was damaged on disk. */
export function parseEvent(event: string, seq: number): DurableEvent {
  try {
    return JSON.parse(event) as DurableEvent
  } catch (error) {
    throw new StorageError(storageTrouble('storage_corrupt', `event ${seq}`), error)
  }
}

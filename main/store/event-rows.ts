import type { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { DurableEvent, Envelope } from '../../shared/session/events.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Connection } from './connection.ts'
import { storageTrouble } from './storage-trouble.ts'

interface EventRow {
  readonly seq: number
  readonly after: number | null
  readonly at: number
  readonly step: number
  readonly event: string
}

/** An envelope as stored, with the step number after it. */
export interface StoredEvent {
  readonly envelope: Envelope
  readonly step: number
}

/** Rows that are read at once: an iteration never holds the connection, so whoever reads may also write. */
const BATCH = 500

/** The `events` table: the one place that knows its columns. */
export function createEventRows(db: Connection) {
  const columns = 'seq, after, at, step, event'
  const insert = db.prepare('INSERT INTO events (seq, session_id, after, at, item, step, event) VALUES (?, ?, ?, ?, ?, ?, ?)')
  const last = db.prepare<[], number>(`SELECT seq FROM sqlite_sequence WHERE name = 'events'`).pluck()
  const following = db.prepare<[SessionId, number, number, number], EventRow>(
    `SELECT ${columns} FROM events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  )
  const ofItems = db.prepare<[SessionId, number, number], EventRow>(
    `SELECT ${columns} FROM events WHERE session_id = ? AND item >= ? AND item < ? ORDER BY seq`,
  )
  const makingItem = db.prepare<[SessionId, number], EventRow>(
    `SELECT ${columns} FROM events WHERE session_id = ? AND item = ? ORDER BY seq LIMIT 1`,
  )
  const itemOfCall = db
    .prepare<[SessionId, ToolCallId], number>(
      `SELECT item FROM events WHERE session_id = ? AND item IS NOT NULL AND event ->> 'toolCallId' = ? ORDER BY seq DESC LIMIT 1`,
    )
    .pluck()
  const changingItems = db
    .prepare<[SessionId], number>(
      `SELECT DISTINCT item FROM events WHERE session_id = ? AND item IS NOT NULL AND event ->> 'kind' = 'FILES_CHANGED' ORDER BY item`,
    )
    .pluck()
  const index = db.prepare('UPDATE events SET item = ?, step = ? WHERE seq = ?')
  const countAfter = db
    .prepare<[SessionId, number, number], number>('SELECT count(*) FROM (SELECT 1 FROM events WHERE session_id = ? AND seq > ? LIMIT ?)')
    .pluck()
  const envelope = (sessionId: SessionId, { seq, after, at, event }: EventRow): Envelope => ({
    seq,
    sessionId,
    after,
    at,
    event: parse(event, seq),
  })
  function* batches(sessionId: SessionId, from: number, to: number): Generator<readonly Envelope[]> {
    for (let cursor = from; ;) {
      const rows = following.all(sessionId, cursor, to, BATCH)
      if (rows.length > 0) yield rows.map((row) => envelope(sessionId, row))
      const end = rows.at(-1)
      if (!end || rows.length < BATCH) return
      cursor = end.seq
    }
  }

  return {
    /** The store's newest sequence number; 0 when there is none. */
    last: (): number => last.get() ?? 0,
    insert({ seq, sessionId, after, at, event }: Envelope, item: number | null, step: number): void {
      insert.run(seq, sessionId, after, at, item, step, JSON.stringify(event))
    },
    /** Puts right what was derived of an event; the event itself never changes. */
    index: (seq: number, item: number | null, step: number): void => void index.run(item, step, seq),
    /** Events of a session with `from` < seq ≤ `to`, in order. */
    *between(sessionId: SessionId, from: number, to = Number.MAX_SAFE_INTEGER): Generator<Envelope> {
      for (const batch of batches(sessionId, from, to)) yield* batch
    },
    /** The same by batches, of which one is in memory at a time. */
    batches: (sessionId: SessionId, from: number) => batches(sessionId, from, Number.MAX_SAFE_INTEGER),
    /** How many events of a session come after `from`, counted up to `most`. */
    countAfter: (sessionId: SessionId, from: number, most: number): number => countAfter.get(sessionId, from, most) ?? 0,
    /** Events that make or change the ledger's entries `from` ≤ index < `to`, in order. */
    ofItems: (sessionId: SessionId, from: number, to: number): readonly Envelope[] =>
      ofItems.all(sessionId, from, to).map((row) => envelope(sessionId, row)),
    /** The event that made the ledger's entry `item`. */
    makingItem(sessionId: SessionId, item: number): StoredEvent | null {
      const row = makingItem.get(sessionId, item)
      return row ? { envelope: envelope(sessionId, row), step: row.step } : null
    },
    /** Where a call stands in the ledger; a scan, for the rare event of a call that has ended. */
    itemOfCall: (sessionId: SessionId, toolCallId: ToolCallId): number | null => itemOfCall.get(sessionId, toolCallId) ?? null,
    /** Where the calls that changed files stand in the ledger, in order; a scan inside the database, of which nothing else comes out. */
    changingItems: (sessionId: SessionId): readonly number[] => changingItems.all(sessionId),
  }
}

/** Only what was stringified is ever stored: text that does not parse has been damaged on disk. */
function parse(event: string, seq: number): DurableEvent {
  try {
    return JSON.parse(event) as DurableEvent
  } catch (error) {
    throw new StorageError(storageTrouble('storage_corrupt', `event ${seq}`), error)
  }
}

export type EventRows = ReturnType<typeof createEventRows>

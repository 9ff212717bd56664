import type { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { DurableEvent, Envelope } from '../../shared/session/events.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Connection } from './connection.ts'
import { createDerivedRows } from './derived-rows.ts'
import { storageTrouble } from './storage-trouble.ts'

interface EventRow {
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

/** An envelope as stored, with the ledger entry that it makes or changes and the step number after it. */
export interface StoredEvent {
  readonly envelope: Envelope
  readonly item: number | null
  readonly step: number
  /** Of the event's JSON. */
  readonly chars: number
}

/** Which events are read: those with `after` < seq ≤ `to`. Ends of calls up to `slimTo` come without output, what the model got, and details. */
export interface EventRange {
  readonly after: number
  readonly to?: number
  readonly slimTo?: number
}

/** What is read at once, in rows and bytes (parsed in some milliseconds): an iteration never holds the connection, so whoever reads may also write. */
const BATCH_ROWS = 500
const BATCH_BYTES = 256 * 1024

/** The `events` table: the one place that knows its columns. */
export function createEventRows(db: Connection) {
  const columns = 'seq, after, at, item, step, event'
  const derived = createDerivedRows(db)
  const insert = db.prepare('INSERT INTO events (seq, session_id, after, at, item, step, event) VALUES (?, ?, ?, ?, ?, ?, ?)')
  const last = db.prepare<[], number>(`SELECT seq FROM sqlite_sequence WHERE name = 'events'`).pluck()
  // The length of a text is read without the text.
  const sizes = db.prepare<[SessionId, number, number, number], SizeRow>(
    `SELECT seq, octet_length(event) AS bytes FROM events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  )
  const slimSizes = db.prepare<[SessionId, number, number, number], SizeRow>(
    `SELECT seq, coalesce((SELECT octet_length(slim.event) FROM slim_ends slim WHERE slim.seq = events.seq), octet_length(event)) AS bytes
     FROM events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  )
  const range = db.prepare<[SessionId, number, number], EventRow>(
    `SELECT ${columns} FROM events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq`,
  )
  const slimRange = db.prepare<[SessionId, number, number], EventRow>(
    `SELECT seq, after, at, item, step, coalesce((SELECT slim.event FROM slim_ends slim WHERE slim.seq = events.seq), event) AS event
     FROM events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq`,
  )
  const ofItems = db.prepare<[SessionId, number, number], EventRow>(
    `SELECT ${columns} FROM events WHERE session_id = ? AND item >= ? AND item < ? ORDER BY seq`,
  )
  const itemSizes = db.prepare<[SessionId, number, number], { item: number; bytes: number }>(
    `SELECT item, octet_length(event) AS bytes FROM events WHERE session_id = ? AND item >= ? AND item < ? ORDER BY item DESC`,
  )
  const makingItem = db.prepare<[SessionId, number], EventRow>(
    `SELECT ${columns} FROM events WHERE session_id = ? AND item = ? ORDER BY seq LIMIT 1`,
  )
  const changes = db.prepare<[SessionId, number, number], { seq: number; step: number; event: string }>(
    `SELECT c.seq AS seq, e.event AS event,
       (SELECT m.step FROM events m WHERE m.session_id = e.session_id AND m.item = e.item ORDER BY m.seq LIMIT 1) AS step
     FROM file_changes c JOIN events e ON e.seq = c.seq WHERE c.session_id = ? AND c.seq > ? ORDER BY c.seq LIMIT ?`,
  )
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
      yield rows.map((row) => ({ envelope: envelope(sessionId, row), item: row.item, step: row.step, chars: row.event.length }))
      cursor = upTo
    }
  }
  function* batches(sessionId: SessionId, range: EventRange): Generator<readonly Envelope[]> {
    for (const batch of stored(sessionId, range)) yield batch.map((one) => one.envelope)
  }

  return {
    /** The store's newest sequence number; 0 when there is none. */
    last: (): number => last.get() ?? 0,
    insert(stored: Envelope, item: number | null, step: number): void {
      const { seq, sessionId, after, at, event } = stored
      const json = JSON.stringify(event)
      insert.run(seq, sessionId, after, at, item, step, json)
      derived.put(stored, item, json.length)
    },
    /** Puts right what was derived of an event; the event itself never changes. */
    index({ envelope: { seq }, ...before }: StoredEvent, item: number | null, step: number): void {
      // Writing a row writes its whole text again.
      if (before.item !== item || before.step !== step) index.run(item, step, seq)
    },
    derived,
    /** The events of a session in order. */
    *between(sessionId: SessionId, range: EventRange): Generator<Envelope> {
      for (const batch of batches(sessionId, range)) yield* batch
    },
    /** The same by batches, of which one is in memory at a time. */
    batches,
    /** With what was derived of them. */
    stored,
    /** How many events of a session come after `from`, counted up to `most`. */
    countAfter: (sessionId: SessionId, from: number, most: number): number => countAfter.get(sessionId, from, most) ?? 0,
    /** Events that make or change the ledger's entries `from` ≤ index < `to`, in order. */
    ofItems: (sessionId: SessionId, from: number, to: number): readonly Envelope[] =>
      ofItems.all(sessionId, from, to).map((row) => envelope(sessionId, row)),
    /** Events of one call, in order. */
    ofCall(sessionId: SessionId, toolCallId: ToolCallId): readonly Envelope[] {
      const item = derived.itemOfCall(sessionId, toolCallId)
      return item === null ? [] : ofItems.all(sessionId, item, item + 1).map((row) => envelope(sessionId, row))
    },
    /** From which entry on the entries before `to` have at most `mostBytes` of events, at least `fewest` of them; not below `from`. */
    lightItems(sessionId: SessionId, from: number, to: number, mostBytes: number, fewest: number): number {
      let left = mostBytes
      for (const { item, bytes } of itemSizes.all(sessionId, from, to)) {
        left -= bytes
        if (left < 0 && item < to - fewest) return item + 1
      }
      return from
    },
    /** The event that made the ledger's entry `item`. */
    makingItem(sessionId: SessionId, item: number): StoredEvent | null {
      const row = makingItem.get(sessionId, item)
      return row ? { envelope: envelope(sessionId, row), item, step: row.step, chars: row.event.length } : null
    },
    /** What steps of a session changed after `from` (a seq), in order, at most `most` events. */
    changesAfter(sessionId: SessionId, from: number, most: number): readonly FilesOfStep[] {
      return changes.all(sessionId, from, most).flatMap(({ seq, step, event }) => {
        const changed = parse(event, seq)
        return changed.kind === 'FILES_CHANGED' ? [{ seq, step, files: changed.files }] : []
      })
    },
  }
}

/** Files that a step changed, as one event tells it. */
export interface FilesOfStep {
  readonly seq: number
  readonly step: number
  readonly files: Extract<DurableEvent, { kind: 'FILES_CHANGED' }>['files']
}

/** The last seq that is read at once; null: there is nothing. */
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

/** Only what was stringified is ever stored: text that does not parse has been damaged on disk. */
function parse(event: string, seq: number): DurableEvent {
  try {
    return JSON.parse(event) as DurableEvent
  } catch (error) {
    throw new StorageError(storageTrouble('storage_corrupt', `event ${seq}`), error)
  }
}

export type EventRows = ReturnType<typeof createEventRows>

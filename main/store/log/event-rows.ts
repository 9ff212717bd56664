import type { ApprovalId, BlobHash, SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent, Envelope } from '../../../shared/session/events.ts'
import { DELETING_MARKER } from '../cleaning/delete-sessions.ts'
import type { Connection } from '../database/connection.ts'
import { COLUMNS, createEventReader, envelopeOf, type EventRow, parseEvent, type StoredEvent } from './event-reader.ts'
import { layerOfSession } from './layer-of-session.ts'
import { unrecordedEffects } from '../../../shared/session/effects.ts'

/** The `events` table. Only this file and `event-reader.ts` know its columns. */
export function createEventRows(db: Connection) {
  const derived = createDerivedRows(db)
  const insert = db.prepare('INSERT INTO events (seq, session_id, after, at, item, step, event) VALUES (?, ?, ?, ?, ?, ?, ?)')
  // Ignores events of sessions that are being deleted (`deleteSessions`).
  const has = db
    .prepare<[string, string], number>(
      `SELECT 1 FROM events WHERE session_id = ? AND NOT EXISTS (SELECT 1 FROM markers WHERE session_id = ? AND name = '${DELETING_MARKER}') LIMIT 1`,
    )
    .pluck()
  const last = db.prepare<[], number>(`SELECT seq FROM sqlite_sequence WHERE name = 'events'`).pluck()
  const ofItems = db.prepare<[SessionId, number, number], EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE session_id = ? AND item >= ? AND item < ? ORDER BY seq`,
  )
  const itemSizes = db.prepare<[SessionId, number, number], { item: number; bytes: number }>(
    `SELECT item, octet_length(event) AS bytes FROM events WHERE session_id = ? AND item >= ? AND item < ? ORDER BY item DESC`,
  )
  const makingItem = db.prepare<[SessionId, number], EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE session_id = ? AND item = ? ORDER BY seq LIMIT 1`,
  )
  const changes = db.prepare<[SessionId, number, number], { seq: number; step: number | null; event: string }>(
    `SELECT c.seq AS seq, e.event AS event,
       (SELECT m.step FROM events m WHERE m.session_id = e.session_id AND m.item = e.item ORDER BY m.seq LIMIT 1) AS step
     FROM file_changes c JOIN events e ON e.seq = c.seq WHERE c.session_id = ? AND c.seq > ? ORDER BY c.seq LIMIT ?`,
  )
  const index = db.prepare('UPDATE events SET item = ?, step = ? WHERE seq = ?')
  const countAfter = db
    .prepare<[SessionId, number, number], number>('SELECT count(*) FROM (SELECT 1 FROM events WHERE session_id = ? AND seq > ? LIMIT ?)')
    .pluck()
  return {
    /** The store's newest sequence number; 0 if there are no events. */
    last: (): number => last.get() ?? 0,
    has: (sessionId: SessionId): boolean => has.get(sessionId, sessionId) === 1,
    insert(stored: Envelope, item: number | null, step: number): void {
      const { seq, sessionId, after, at, event } = stored
      const json = JSON.stringify(event)
      insert.run(seq, sessionId, after, at, item, step, json)
      derived.put(stored, item, json.length)
    },
    /** Corrects the data that was derived from an event. The event itself never changes. */
    index({ envelope: { seq }, ...before }: StoredEvent, item: number | null, step: number): void {
      // The update is skipped if nothing changes, because it would rewrite the entire row, including its text.
      if (before.item !== item || before.step !== step) index.run(item, step, seq)
    },
    derived,
    ...createEventReader(db),
    ...createChangeSince(db),
    /** The number of events after `from`; counting stops at `most`. */
    countAfter: (sessionId: SessionId, from: number, most: number): number => countAfter.get(sessionId, from, most) ?? 0,
    /** Events that add or change the ledger entries `from` ≤ index < `to`, in order. */
    ofItems: (sessionId: SessionId, from: number, to: number): readonly Envelope[] =>
      ofItems.all(sessionId, from, to).map((row) => envelopeOf(sessionId, row)),
    /** Events of one call, in order. */
    ofCall(sessionId: SessionId, toolCallId: ToolCallId): readonly Envelope[] {
      const item = derived.itemOfCall(sessionId, toolCallId)
      return item === null ? [] : ofItems.all(sessionId, item, item + 1).map((row) => envelopeOf(sessionId, row))
    },
    /** Start of the longest page from `from` to `to` with at most `mostBytes`, or of `fewest` entries if these have more bytes. */
    lightItems(sessionId: SessionId, from: number, to: number, mostBytes: number, fewest: number): number {
      let left = mostBytes
      for (const { item, bytes } of itemSizes.all(sessionId, from, to)) {
        left -= bytes
        if (left < 0 && item < to - fewest) return item + 1
      }
      return from
    },
    /** The event that added the ledger entry `item`. */
    makingItem(sessionId: SessionId, item: number): StoredEvent | null {
      const row = makingItem.get(sessionId, item)
      return row ? { envelope: envelopeOf(sessionId, row), item, step: row.step, chars: row.event.length } : null
    },
    /** At most `most` events after `from` (a seq) that may change files, in order. */
    changesAfter(sessionId: SessionId, from: number, most: number): readonly ChangingEvent[] {
      return changes.all(sessionId, from, most).flatMap(({ seq, step, event }) => {
        const changed = parseEvent(event, seq)
        return changed.kind === 'FILES_CHANGED' || changed.kind === 'ROLLED_BACK' || changed.kind === 'TOOL_EXECUTION_START'
          ? [{ seq, step: step ?? 0, event: changed }]
          : []
      })
    },
  }
}

function createChangeSince(db: Connection) {
  const requestSeq = db
    .prepare<[SessionId, string], number>(
      `SELECT seq FROM events WHERE session_id = ? AND instr(event, '"APPROVAL_REQUESTED"') > 0 AND instr(event, ?) > 0
       ORDER BY seq DESC LIMIT 1`,
    )
    .pluck()
  const changedAfter = db.prepare<[number, string], { sessionId: SessionId; title: string; step: number | null; event: string }>(
    `SELECT e.session_id AS sessionId, s.title AS title, e.event AS event,
       (SELECT m.step FROM events m WHERE m.session_id = e.session_id AND m.item = e.item ORDER BY m.seq LIMIT 1) AS step
     FROM file_changes c JOIN events e ON e.seq = c.seq JOIN sessions s ON s.session_id = e.session_id
     WHERE c.seq > ? AND instr(e.event, ?) > 0 ORDER BY c.seq DESC`,
  )
  const layerOf = layerOfSession(db)
  /** The newest recorded change of a file after the event `seq`, in the layer of the session `layer`, or in the folder itself if that is null. */
  const changeIn = (layer: SessionId | null, seq: number, path: string): RecordedFileChange | null => {
    for (const row of changedAfter.iterate(seq, JSON.stringify(path))) {
      if (layerOf(row.sessionId) !== layer) continue
      const event = parseEvent(row.event, 0)
      if (event.kind !== 'FILES_CHANGED' && event.kind !== 'ROLLED_BACK') continue
      const change = event.files.find((file) => file.path === path)
      if (!change) continue
      return { sessionId: row.sessionId, title: row.title, after: change.after, step: event.kind === 'ROLLED_BACK' ? null : row.step }
    }
    return null
  }
  /**
   * The newest change of a file that a session recorded after the event `seq`, in the folder or layer in which `sessionId` works. `path` is
   * absolute. Null if there is none.
   */
  const changeAfter = ({ sessionId, seq }: { readonly sessionId: SessionId; readonly seq: number }, path: string) =>
    changeIn(layerOf(sessionId), seq, path)
  return {
    changeAfter,
    /** The same, in the folder itself. */
    changeInFolder: (seq: number, path: string) => changeIn(null, seq, path),
    /** The same, after this request was made. */
    changeSince({ sessionId, approvalId }: RequestOf, path: string): RecordedFileChange | null {
      const seq = requestSeq.get(sessionId, approvalId)
      return seq === undefined ? null : changeAfter({ sessionId, seq }, path)
    },
  }
}

interface RequestOf {
  readonly sessionId: SessionId
  readonly approvalId: ApprovalId
}

/** A change that a session recorded. `step` is null for an undo. `after` is the content's hash, or null if the file was deleted. */
interface RecordedFileChange {
  readonly sessionId: SessionId
  readonly title: string
  readonly step: number | null
  readonly after: BlobHash | null
}

/**
 * An event that reports changes to files, or the start of a call whose changes may not be recorded. `step` is the session's newest step at
 * that time.
 */
export interface ChangingEvent {
  readonly seq: number
  readonly step: number
  readonly event: Extract<DurableEvent, { kind: 'FILES_CHANGED' | 'ROLLED_BACK' | 'TOOL_EXECUTION_START' }>
}

export type EventRows = ReturnType<typeof createEventRows>

/** If the JSON of a call's end has fewer characters than this, no slim copy is stored. */
const SHORT_END = 1024

/**
 * The tables that are derived from `events`: the ledger index of each call, the events that changed files, and ends of calls without
 * their long texts. Writing the same event twice has no further effect.
 */
function createDerivedRows(db: Connection) {
  const putCall = db.prepare('REPLACE INTO calls (session_id, call_id, item) VALUES (?, ?, ?)')
  const putChange = db.prepare('INSERT OR IGNORE INTO file_changes (session_id, seq) VALUES (?, ?)')
  const putSlim = db.prepare('INSERT OR IGNORE INTO slim_ends (seq, event) VALUES (?, ?)')
  const itemOfCall = db.prepare<[SessionId, ToolCallId], number>('SELECT item FROM calls WHERE session_id = ? AND call_id = ?').pluck()

  return {
    /** `chars` is the length of the event's JSON. */
    put({ seq, sessionId, event }: Envelope, item: number | null, chars: number): void {
      if (item === null) return
      if (changesFiles(event)) putChange.run(sessionId, seq)
      if (event.kind === 'TOOL_CALL_START') putCall.run(sessionId, event.toolCallId, item)
      else if (event.kind === 'TOOL_CALL_END' && chars > SHORT_END) {
        const slim = slimEnd(event)
        if (slim) putSlim.run(seq, JSON.stringify(slim))
      }
    },
    /** The ledger index of a call. If several calls have the same id, the index of the newest. */
    itemOfCall: (sessionId: SessionId, toolCallId: ToolCallId): number | null => itemOfCall.get(sessionId, toolCallId) ?? null,
  }
}

/**
 * Whether an undo must know about the event, because it reports changes to files, or the start of a call whose changes may not be recorded.
 */
function changesFiles(event: DurableEvent): boolean {
  if (event.kind === 'FILES_CHANGED' || event.kind === 'ROLLED_BACK') return true
  return event.kind === 'TOOL_EXECUTION_START' && unrecordedEffects(event.effects).length > 0
}

type CallEnded = Extract<DurableEvent, { kind: 'TOOL_CALL_END' }>

/**
 * Returns a call's end without its long texts. Null if the model text contains pictures, because the model text is needed to count them.
 */
function slimEnd(event: CallEnded): CallEnded | null {
  if (typeof event.modelText === 'object' && event.modelText !== null) return null
  return { ...event, output: '', modelText: null, details: null }
}

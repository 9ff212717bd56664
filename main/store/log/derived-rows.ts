import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent, Envelope } from '../../../shared/session/events.ts'
import { unrecordedEffects } from '../../../shared/session/effects.ts'
import type { Connection } from '../database/connection.ts'

/** A call's end with shorter JSON gets no slim copy (characters). */
const SHORT_END = 1024

/**
 * The tables derived from `events`: the ledger index of each call, the events that changed files, and ends of calls without their long
 * texts. Writing the same event twice changes nothing.
 */
export function createDerivedRows(db: Connection) {
  const putCall = db.prepare('REPLACE INTO calls (session_id, call_id, item) VALUES (?, ?, ?)')
  const putChange = db.prepare('INSERT OR IGNORE INTO file_changes (session_id, seq) VALUES (?, ?)')
  const putSlim = db.prepare('INSERT OR IGNORE INTO slim_ends (seq, event) VALUES (?, ?)')
  const itemOfCall = db.prepare<[SessionId, ToolCallId], number>('SELECT item FROM calls WHERE session_id = ? AND call_id = ?').pluck()

  return {
    /** `chars`: length of the event's JSON. */
    put({ seq, sessionId, event }: Envelope, item: number | null, chars: number): void {
      if (item === null) return
      if (changesFiles(event)) putChange.run(sessionId, seq)
      if (event.kind === 'TOOL_CALL_START') putCall.run(sessionId, event.toolCallId, item)
      else if (event.kind === 'TOOL_CALL_END' && chars > SHORT_END) {
        const slim = slimEnd(event)
        if (slim) putSlim.run(seq, JSON.stringify(slim))
      }
    },
    /** The ledger index of a call; if several have the same id, of the newest. */
    itemOfCall: (sessionId: SessionId, toolCallId: ToolCallId): number | null => itemOfCall.get(sessionId, toolCallId) ?? null,
  }
}

/** Whether an undo has to know of the event: it changed files, or ran something whose changes may not be recorded. */
function changesFiles(event: DurableEvent): boolean {
  if (event.kind === 'FILES_CHANGED' || event.kind === 'ROLLED_BACK') return true
  return event.kind === 'TOOL_EXECUTION_START' && unrecordedEffects(event.effects).length > 0
}

type CallEnded = Extract<DurableEvent, { kind: 'TOOL_CALL_END' }>

/** Null if it contains pictures, which are counted. */
function slimEnd(event: CallEnded): CallEnded | null {
  if (typeof event.modelText === 'object' && event.modelText !== null) return null
  return { ...event, output: '', modelText: null, details: null }
}

import type { LineWriter } from '../../shared/api/changes/blame.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { DurableEvent, ParentLink } from '../../shared/session/events.ts'
import { messageAsTyped } from '../../shared/session/person-message.ts'
import { machineOf } from '../../shared/places/address.ts'
import { isSubagentCall } from '../../shared/tools/built-in/subagents.ts'
import type { Connection } from '../store/database/connection.ts'
import { FORK_MARKER } from '../store/log/fork-session.ts'
import { PROJECTION_VERSION } from '../store/log/projection.ts'
import { changesOfPlace } from './changes-of-place.ts'
import type { RecordedChange, TraceParts } from './trace-writers.ts'

/** Maximum number of characters of a request and of a command that are shown. */
const MAX_WORDS = 300

interface ChangeRow {
  readonly seq: number
  readonly session_id: SessionId
  readonly at: number
  readonly item: number | null
  readonly step: number
  readonly event: string
  readonly title: string
  readonly cwd: string
  readonly parent: string | null
  /** The session whose work this session brings in. Null if it brings in nothing. */
  readonly brought_from: SessionId | null
}

type ChangingEvent = Extract<DurableEvent, { kind: 'FILES_CHANGED' | 'ROLLED_BACK' }>

/**
 * What the sessions recorded about a file in a place, by its absolute path. `layer`: the session in whose layer the file is. Null if it is in
 * the folder. `machine`: the key of the file's machine, or null for this computer. Another machine may have a file with the same path.
 * Events that a fork copied count only for the fork's source.
 */
export function createRecordedChanges(
  db: Connection,
  layer: SessionId | null,
  machine: string | null,
): Pick<TraceParts, 'changesOf' | 'changesBelow' | 'changesIn' | 'writerOf'> {
  const rows = selectRows(db)
  const made = db
    .prepare<[SessionId, number], string>(`SELECT event FROM events WHERE session_id = ? AND item = ? ORDER BY seq LIMIT 1`)
    .pluck()
  const requestIn = db
    .prepare<[SessionId, number, number], string>(
      `SELECT event FROM events WHERE session_id = ? AND seq > ? AND seq < ? AND event ->> 'kind' = 'USER_INPUT' ORDER BY seq DESC LIMIT 1`,
    )
    .pluck()
  const startedBy = db
    .prepare<[SessionId, string], string>(
      `SELECT parent ->> 'agentType' FROM sessions WHERE parent ->> 'sessionId' = ? AND parent ->> 'toolCallId' = ?`,
    )
    .pluck()
  const typeOf = db.prepare<[string], string>(`SELECT parent ->> 'agentType' FROM sessions WHERE session_id = ?`).pluck()
  /**
   * The type of the subagent that the call started or waited for. It matters because the changes that a subagent made in its own copy are
   * recorded with that call.
   */
  const waitedFor = (sessionId: SessionId, start: DurableEvent | null): string | null => {
    if (start?.kind !== 'TOOL_CALL_START' || !isSubagentCall(start)) return null
    const agentId = start.args?.['agent_id']
    return (typeof agentId === 'string' ? typeOf.get(agentId) : startedBy.get(sessionId, start.toolCallId)) ?? null
  }
  /**
   * For each session, the newest user request that precedes the writer that was looked up last, so that only later events are read for the
   * next writer.
   */
  const requests = new Map<SessionId, { readonly seq: number; readonly request: string | null }>()
  const requestBefore = (sessionId: SessionId, seq: number): string | null => {
    const known = requests.get(sessionId)
    const isLater = known !== undefined && known.seq <= seq
    const asked = parsed(requestIn.get(sessionId, isLater ? known.seq : 0, seq))
    const request = asked?.kind === 'USER_INPUT' ? messageAsTyped(asked).slice(0, MAX_WORDS) : isLater ? known.request : null
    requests.set(sessionId, { seq, request })
    return request
  }
  const found = new Map<number, { readonly row: ChangeRow; readonly event: ChangingEvent }>()

  const writerOf = (seq: number): LineWriter => {
    const one = found.get(seq)
    if (!one) return { kind: 'earlier' }
    const { row, event } = one
    const { session_id: sessionId, title, cwd: folder, step, item, at } = row
    const start = item === null ? null : parsed(made.get(sessionId, item))
    const madeBy = event.kind === 'FILES_CHANGED' ? event.madeBy : undefined
    return {
      kind: event.kind === 'ROLLED_BACK' ? 'undo' : 'step',
      sessionId,
      title,
      folder,
      step,
      item,
      at,
      agentType: waitedFor(sessionId, start) ?? (row.parent === null ? null : (JSON.parse(row.parent) as ParentLink).agentType),
      toolName: start?.kind === 'TOOL_CALL_START' ? start.toolName : null,
      command: madeBy ? madeBy.command.slice(0, MAX_WORDS) : null,
      isFound: madeBy?.compared !== undefined || madeBy?.inBackground === true,
      request: requestBefore(sessionId, seq),
    }
  }
  const changesIn = (place: SessionId | null): TraceParts['changesOf'] => {
    const isHere = changesOfPlace(db, place)
    return (path) => {
      const changes = new Map<string, RecordedChange>()
      for (const row of rows(path)) {
        if (!isHere(row) || machineOf(row.cwd) !== machine) continue
        const event = parsed(row.event)
        if (event?.kind !== 'FILES_CHANGED' && event?.kind !== 'ROLLED_BACK') continue
        for (const file of event.files) {
          if (file.path !== path) continue
          found.set(row.seq, { row, event })
          const { before, after, movedFrom } = file
          const broughtFrom = event.kind === 'FILES_CHANGED' ? row.brought_from : null
          // An imported session contains the same records as its original, so equal records count only once.
          const key = `${row.at} ${before} ${after}`
          if (!changes.has(key))
            changes.set(key, {
              id: row.seq,
              at: row.at,
              before,
              after,
              ...(movedFrom && { movedFrom }),
              ...(broughtFrom && { broughtFrom }),
            })
        }
      }
      return [...changes.values()]
    }
  }
  return { writerOf, changesIn, changesOf: changesIn(layer), ...(layer !== null && { changesBelow: changesIn(null) }) }
}

/** Null if the event cannot be read. */
function parsed(event: string | undefined): DurableEvent | null {
  try {
    return event === undefined ? null : (JSON.parse(event) as DurableEvent)
  } catch {
    return null
  }
}

/** Reads from the table of changes or, for sessions whose derived rows have another version, from the events themselves. */
function selectRows(db: Connection): (path: string) => readonly ChangeRow[] {
  const columns = `e.seq, e.session_id, e.at, e.item, e.event, s.title, s.cwd, s.parent,
    CASE s.config ->> '$.where.kind' WHEN 'bring-in' THEN s.config ->> '$.where.from' END AS brought_from,
    coalesce((SELECT m.step FROM events m WHERE m.session_id = e.session_id AND m.item = e.item ORDER BY m.seq LIMIT 1), e.step) AS step`
  const isOwn = `NOT EXISTS (SELECT 1 FROM markers m WHERE m.session_id = e.session_id AND m.name = '${FORK_MARKER}'
    AND coalesce(e.seq <= json_extract(m.value, '$.copiedTo'), 1))`
  const listed = db.prepare<[string], ChangeRow>(
    `SELECT ${columns} FROM file_changes c JOIN events e ON e.seq = c.seq JOIN sessions s ON s.session_id = e.session_id
     WHERE s.version = ${PROJECTION_VERSION} AND instr(e.event, ?) > 0 AND ${isOwn}`,
  )
  const others = db.prepare<[string], ChangeRow>(
    `SELECT ${columns} FROM sessions s JOIN events e ON e.session_id = s.session_id
     WHERE s.version <> ${PROJECTION_VERSION} AND instr(e.event, ?) > 0 AND ${isOwn}`,
  )
  return (path) => {
    const named = JSON.stringify(path)
    return [...listed.all(named), ...others.all(named)].toSorted((a, b) => a.seq - b.seq)
  }
}

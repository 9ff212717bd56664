import type { BlobHash, SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { GitChange } from '../../../shared/session/git-change.ts'
import { DELETING_MARKER } from '../cleaning/delete-sessions.ts'
import type { Connection } from '../database/connection.ts'
import { codeOf } from '../database/storage-trouble.ts'
import { emptyProjection, project, type Projection, PROJECTION_VERSION, rowOf, type SessionRow } from '../log/projection.ts'
import {
  callsOpen,
  eventLost,
  eventMissing,
  eventUnreadable,
  type Findings,
  logCutOff,
  rowWrong,
  sessionNotFolded,
  unpaired,
} from './findings.ts'

/** Number of rows and bytes that are read in one query. */
const BATCH_ROWS = 200
/** Maximum number of broken pairs that are reported per session. */
const MAX_PAIRS = 5

interface Row {
  readonly seq: number
  readonly after: number | null
  readonly at: number
  readonly event: string
}

export interface LogParts {
  readonly db: Connection
  readonly findings: Findings
  /** Called for each event that was read. */
  readonly onEvent: (sessionId: SessionId, seq: number, event: DurableEvent) => void
}

/**
 * The ids of all sessions that have events. They are read from the index alone, so that damaged events do not hide their session. If the
 * index is damaged too, the ids are read from the `sessions` table.
 */
export function loggedIds(db: Connection): readonly SessionId[] {
  return unlessCorrupt(
    () => idsInIndex(db),
    () => db.prepare<[], SessionId>('SELECT session_id FROM sessions ORDER BY session_id').pluck().all(),
  )
}

function idsInIndex(db: Connection): readonly SessionId[] {
  const next = db.prepare<[string], SessionId | null>('SELECT min(session_id) FROM events WHERE session_id > ?').pluck()
  // If a session is being deleted, some of its events may still be in the log, but it must not be listed again.
  const deleted = new Set(db.prepare<[string], SessionId>('SELECT session_id FROM markers WHERE name = ?').pluck().all(DELETING_MARKER))
  const ids: SessionId[] = []
  for (let id = next.get(''); id; id = next.get(id)) if (!deleted.has(id)) ids.push(id)
  return ids
}

/**
 * Reads every event of a session. Checks that the chain of events is complete and that the starts and ends of tool calls match, folds the
 * events, and compares the result with the session's row. Reads in small batches, so that the journal can still be moved into the file.
 */
export function checkSession(sessionId: SessionId, { db, findings, onEvent }: LogParts): void {
  const walk: Walk = {
    sessionId,
    findings,
    onEvent,
    previous: null,
    projection: emptyProjection(sessionId),
    pairs: createPairs(sessionId, findings),
  }
  for (let cursor = 0; ;) {
    const rows = readBatch(db, sessionId, cursor, findings)
    for (const row of rows) read(walk, row)
    cursor = rows.at(-1)?.seq ?? cursor
    if (rows.length < BATCH_ROWS) break
  }
  const { row, rest } = newest(db, sessionId, walk.previous ?? 0)
  for (const one of rest) read(walk, one)
  if (!findings.unreadableSessions.has(sessionId)) compareRow(walk, row)
}

interface Walk {
  readonly sessionId: SessionId
  readonly findings: Findings
  readonly onEvent: LogParts['onEvent']
  readonly pairs: ReturnType<typeof createPairs>
  previous: number | null
  /** Null if the fold has failed. */
  projection: Projection | null
}

function read(walk: Walk, row: Row & { readonly lost?: string }): void {
  const { sessionId, findings } = walk
  if (row.lost === undefined && row.after !== walk.previous) findings.add(eventMissing(sessionId, row.seq, row.after))
  walk.previous = row.seq
  const event = row.lost === undefined ? parsed(row.event) : null
  if (event === null) {
    findings.unreadable(sessionId)
    walk.projection = null
    findings.add(
      row.lost === undefined
        ? eventUnreadable(sessionId, row.seq, 'its text is not valid JSON with a kind.')
        : eventLost(sessionId, row.seq, row.lost),
    )
    return
  }
  walk.onEvent(sessionId, row.seq, event)
  walk.pairs.add(row.seq, event)
  if (walk.projection === null) return
  try {
    walk.projection = project(walk.projection, { seq: row.seq, sessionId, after: row.after, at: row.at, event }).after
  } catch (error) {
    walk.projection = null
    findings.unreadable(sessionId)
    findings.add(sessionNotFolded(sessionId, `event ${row.seq}: ${messageOf(error)}`))
  }
}

function parsed(text: string): DurableEvent | null {
  try {
    const event = JSON.parse(text) as DurableEvent
    return typeof event === 'object' && event !== null && typeof event.kind === 'string' ? event : null
  } catch {
    return null
  }
}

const SELECT = 'SELECT seq, after, at, event FROM events'

/**
 * Reads a batch of rows. If that fails, reads them one by one. For a row on a damaged page, returns the reason. If the index is damaged
 * too, reading the session ends there.
 */
function readBatch(
  db: Connection,
  sessionId: SessionId,
  cursor: number,
  findings: Findings,
): readonly (Row & { readonly lost?: string })[] {
  const batch = db.prepare<[SessionId, number, number], Row>(`${SELECT} WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?`)
  const seqs = db.prepare<[SessionId, number, number], number>(
    'SELECT seq FROM events INDEXED BY events_by_session WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?',
  )
  const one = db.prepare<[number], Row>(`${SELECT} WHERE seq = ?`)
  const lost = (seq: number, why: string) => ({ seq, after: null, at: 0, event: '', lost: why })
  const singly = (): readonly (Row & { readonly lost?: string })[] =>
    seqs
      .pluck()
      .all(sessionId, cursor, BATCH_ROWS)
      .map((seq) =>
        unlessCorrupt(
          () => one.get(seq) ?? lost(seq, 'its row is missing, but the index still lists it.'),
          (error) => lost(seq, error.message),
        ),
      )
  return unlessCorrupt<readonly (Row & { readonly lost?: string })[]>(
    () => batch.all(sessionId, cursor, BATCH_ROWS),
    () =>
      unlessCorrupt(singly, (error) => {
        findings.unreadable(sessionId)
        findings.add(logCutOff(sessionId, cursor, error.message))
        return []
      }),
  )
}

/** Returns the session's row and its events after `cursor`. Both are read in one transaction, because the session may be running. */
function newest(db: Connection, sessionId: SessionId, cursor: number): { readonly row: SessionRow | null; readonly rest: readonly Row[] } {
  const row = db.prepare<[SessionId], SessionRow>('SELECT * FROM sessions WHERE session_id = ?')
  const rest = db.prepare<[SessionId, number], Row>(`${SELECT} WHERE session_id = ? AND seq > ? ORDER BY seq`)
  const get = (): SessionRow | null => row.get(sessionId) ?? null
  return unlessCorrupt<ReturnType<typeof newest>>(
    db.transaction(() => ({ row: get(), rest: rest.all(sessionId, cursor) })),
    () => ({ row: unlessCorrupt(get, () => null), rest: [] }),
  )
}

/**
 * Runs `work`. If it reads a damaged page, returns the result of `otherwise`. SQLite does not detect the damage before it reads the page.
 */
export function unlessCorrupt<T>(work: () => T, otherwise: (error: Error) => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error) !== 'storage_corrupt') throw error
    return otherwise(error)
  }
}

/** Only the columns that appear in lists are compared. */
const COMPARED = ['title', 'cwd', 'run', 'ended', 'turn_end', 'pending', 'steps', 'items', 'started_at', 'cursor'] as const

function compareRow({ sessionId, findings, projection, pairs }: Walk, row: SessionRow | null): void {
  if (row === null) return findings.add(rowWrong(sessionId, 'has events but no row in the list.'))
  if (projection === null) return
  const right = rowOf(projection)
  if (row.cursor !== right.cursor)
    findings.add(rowWrong(sessionId, `is listed as it was at event ${row.cursor}, but its newest event is ${right.cursor}.`))
  else if (row.version === PROJECTION_VERSION) {
    const wrong = COMPARED.filter((name) => row[name] !== right[name])
    if (wrong.length > 0) findings.add(rowWrong(sessionId, `is listed with wrong values: ${wrong.join(', ')}.`))
  }
  const open = pairs.open()
  if (open > 0 && right.run === 'IDLE') findings.add(callsOpen(sessionId, open))
}

/** Checks that each started call ends once, and that each end, answer and execution start follows its call or request. */
function createPairs(sessionId: SessionId, findings: Findings) {
  const open = new Set<ToolCallId>()
  const started = new Set<ToolCallId>()
  let reported = 0
  const wrong = (seq: number, words: string): void => {
    if (++reported <= MAX_PAIRS) findings.add(unpaired(sessionId, seq, words))
  }
  return {
    open: () => open.size,
    add(seq: number, event: DurableEvent): void {
      switch (event.kind) {
        case 'TOOL_CALL_START':
          if (open.has(event.toolCallId)) wrong(seq, `starts the tool call ${event.toolCallId} a second time.`)
          started.add(event.toolCallId)
          open.add(event.toolCallId)
          return
        case 'APPROVAL_REQUESTED':
        case 'TOOL_EXECUTION_START':
          if (!open.has(event.toolCallId)) wrong(seq, `belongs to the tool call ${event.toolCallId}, which is not open there.`)
          return
        case 'TOOL_CALL_END':
          if (!open.delete(event.toolCallId))
            wrong(
              seq,
              `ends the tool call ${event.toolCallId}, which ${started.has(event.toolCallId) ? 'had ended before' : 'never started'}.`,
            )
          return
        default:
      }
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The blobs of files that a command has committed or staged in its copy. The diffs of these files need the blobs. */
const gitBlobs = (git: GitChange | undefined): readonly BlobHash[] =>
  git === undefined
    ? []
    : [...git.commits.flatMap(({ files }) => files ?? []), ...git.staged, ...git.unstaged].flatMap(({ stored }) =>
        [stored?.before ?? [], stored?.after ?? []].flat(),
      )

/** The blobs that an event needs: for its diff, undo, output, pictures, system prompt or tool definitions. */
export function blobsOf(event: DurableEvent): readonly BlobHash[] {
  switch (event.kind) {
    case 'REQUEST_CONTEXT':
      return [event.system.hash, event.tools.hash]
    case 'FILES_CHANGED':
    case 'ROLLED_BACK':
      return event.files.flatMap(({ before, after }) => [before ?? [], after ?? []].flat())
    case 'TOOL_CALL_END':
      return event.outputBlob ? [event.outputBlob.hash] : []
    case 'COPY_ENDED':
      return [event.changeSet?.hash ?? [], event.result?.hash ?? [], gitBlobs(event.git)].flat()
    case 'COPY_FAILED':
      return event.result ? [event.result.hash] : []
    case 'USER_INPUT':
    case 'STEERING_INJECTED':
      return (event.pictures ?? []).map(({ hash }) => hash)
    default:
      return []
  }
}

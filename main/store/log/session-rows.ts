import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ParentLink } from '../../../shared/session/events.ts'
import type { Connection } from '../database/connection.ts'
import { PARENT_ID } from '../database/migrations.ts'
import type { SessionRow } from './projection.ts'

const COLUMNS = [
  'session_id',
  'title',
  'cwd',
  'config',
  'parent',
  'run',
  'ended',
  'turn_end',
  'asks',
  'failed_command',
  'pending',
  'need',
  'steps',
  'items',
  'open',
  'state',
  'version',
  'started_at',
  'updated_at',
  'cursor',
] as const satisfies readonly (keyof SessionRow)[]

/** The state is the longest column. Lists need it only for subagents. */
const LISTED = COLUMNS.map((name) =>
  name === 'state' || name === 'open' ? `CASE WHEN parent IS NULL THEN '' ELSE ${name} END AS ${name}` : name,
).join(', ')

/** The ids of all subagents below a session, including those that subagents started. Without the `+`, SQLite does not use the index. */
export const AGENTS_BELOW = `
  WITH RECURSIVE below (id) AS (
    SELECT session_id FROM sessions WHERE parent IS NOT NULL AND ${PARENT_ID} = ?
    UNION SELECT session_id FROM below CROSS JOIN sessions WHERE parent IS NOT NULL AND ${PARENT_ID} = +below.id
  ) SELECT id FROM below`

interface SessionProgress {
  readonly session_id: SessionId
  readonly cursor: number
  readonly isUnfinished: 0 | 1
}

interface SubagentRow {
  readonly session_id: SessionId
  readonly parent: string
}

/** The `sessions` table. Only this file knows its columns. */
export function createSessionRows(db: Connection) {
  const columns = COLUMNS.join(', ')
  const put = db.prepare<SessionRow>(`REPLACE INTO sessions (${columns}) VALUES (${COLUMNS.map((name) => `@${name}`).join(', ')})`)
  const get = db.prepare<[SessionId], SessionRow>(`SELECT ${columns} FROM sessions WHERE session_id = ?`)
  const version = db.prepare<[SessionId], number>('SELECT version FROM sessions WHERE session_id = ?').pluck()
  const cursor = db.prepare<[SessionId], number>('SELECT cursor FROM sessions WHERE session_id = ?').pluck()
  const all = db.prepare<[], SessionRow>(`SELECT ${LISTED} FROM sessions ORDER BY cursor DESC`)
  const subagentsOf = db.prepare<[SessionId], SubagentRow>(
    `SELECT session_id, parent FROM sessions WHERE parent IS NOT NULL AND ${PARENT_ID} = ? ORDER BY cursor DESC`,
  )
  const before = db.prepare<[number, number], SessionRow>(`SELECT ${LISTED} FROM sessions WHERE cursor < ? ORDER BY cursor DESC LIMIT ?`)
  const progress = db.prepare<[number, number], SessionProgress>(
    `SELECT session_id, cursor, run IN ('PROCESSING', 'AWAITING_INPUT') OR json_extract(state, '$.rollingBack') IS NOT NULL AS isUnfinished
     FROM sessions WHERE cursor < ? ORDER BY cursor DESC LIMIT ?`,
  )
  const since = db.prepare<[number], SessionRow>(`SELECT ${columns} FROM sessions WHERE cursor > ? ORDER BY cursor`)
  const ids = db.prepare<[], SessionId>('SELECT session_id FROM sessions').pluck()
  const listed = db.prepare<[], number>('SELECT count(*) FROM sessions').pluck()

  return {
    put: (row: SessionRow): void => void put.run(row),
    get: (sessionId: SessionId): SessionRow | null => get.get(sessionId) ?? null,
    /** The version of the projection that made the row; null if there is no row. */
    version: (sessionId: SessionId): number | null => version.get(sessionId) ?? null,
    cursor: (sessionId: SessionId): number => cursor.get(sessionId) ?? 0,
    /** All rows for `summaryOf`, newest first, without columns that lists do not show. */
    all: (): readonly SessionRow[] => all.all(),
    /** The subagents that a session started, newest first. The state of each is not read, because it is long and there may be hundreds. */
    subagentsOf: (parentId: SessionId) =>
      subagentsOf.all(parentId).map(({ session_id: sessionId, parent }) => ({ sessionId, parent: JSON.parse(parent) as ParentLink })),
    /** The rows of at most `most` sessions that last changed before the event `seq`, newest first. */
    before: (seq: number, most: number): readonly SessionRow[] => before.all(seq, most),
    /** The sessions that `before` returns for the same arguments, and whether each has an unfinished turn or undo. */
    progressBefore: (seq: number, most: number): readonly SessionProgress[] => progress.all(seq, most),
    /** Sessions that changed after `seq`, oldest change first. */
    since: (seq: number): readonly SessionRow[] => since.all(seq),
    ids: (): readonly SessionId[] => ids.all(),
    count: (): number => listed.get() ?? 0,
  }
}

export type SessionRows = ReturnType<typeof createSessionRows>

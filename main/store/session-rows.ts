import type { SessionId } from '../../shared/lib/ids.ts'
import type { Connection } from './connection.ts'
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

/** The ids of all sessions that have events, each found by one step in the index. */
const LOGGED = `WITH RECURSIVE ids (id) AS (
  SELECT min(session_id) FROM events
  UNION ALL SELECT (SELECT min(session_id) FROM events WHERE session_id > id) FROM ids WHERE id IS NOT NULL
)`

/** The `sessions` table: the one place that knows its columns. */
export function createSessionRows(db: Connection) {
  const columns = COLUMNS.join(', ')
  const put = db.prepare<SessionRow>(`REPLACE INTO sessions (${columns}) VALUES (${COLUMNS.map((name) => `@${name}`).join(', ')})`)
  const get = db.prepare<[SessionId], SessionRow>(`SELECT ${columns} FROM sessions WHERE session_id = ?`)
  const version = db.prepare<[SessionId], number>('SELECT version FROM sessions WHERE session_id = ?').pluck()
  const cursor = db.prepare<[SessionId], number>('SELECT cursor FROM sessions WHERE session_id = ?').pluck()
  const all = db.prepare<[], SessionRow>(`SELECT ${columns} FROM sessions ORDER BY cursor DESC`)
  const since = db.prepare<[number], SessionRow>(`SELECT ${columns} FROM sessions WHERE cursor > ? ORDER BY cursor`)
  const stale = db
    .prepare<[], SessionId>(
      `${LOGGED} SELECT id FROM ids LEFT JOIN sessions ON session_id = id
       WHERE id IS NOT NULL AND cursor IS NOT (SELECT max(seq) FROM events WHERE events.session_id = id)`,
    )
    .pluck()
  const logged = db.prepare<[], number>(`${LOGGED} SELECT count(id) FROM ids`).pluck()
  const listed = db.prepare<[], number>('SELECT count(*) FROM sessions').pluck()

  return {
    put: (row: SessionRow): void => void put.run(row),
    get: (sessionId: SessionId): SessionRow | null => get.get(sessionId) ?? null,
    /** By which version of the projection it was made; null: there is no row. */
    version: (sessionId: SessionId): number | null => version.get(sessionId) ?? null,
    cursor: (sessionId: SessionId): number => cursor.get(sessionId) ?? 0,
    /** Newest first. */
    all: (): readonly SessionRow[] => all.all(),
    /** Those that changed after `seq`, in the order in which they did. */
    since: (seq: number): readonly SessionRow[] => since.all(seq),
    count: (): number => listed.get() ?? 0,
    /** Sessions that have events, counted from the log itself. */
    logged: (): number => logged.get() ?? 0,
    /** Sessions whose row is missing or is not that of their newest event. */
    stale: (): readonly SessionId[] => stale.all(),
  }
}

export type SessionRows = ReturnType<typeof createSessionRows>

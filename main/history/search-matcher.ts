import { dayOf, type FoundIn, type HistoryQuery, type HistoryState, isLongEnough, MIN_LETTERS, wordsOf } from '../../shared/api/history.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { parseGlob } from '../environment/search/glob/glob-pattern.ts'
import type { Connection } from '../store/database/connection.ts'
import { NO_TAG, type Tags } from './filter-terms.ts'

/**
 * Maximum number of matches that are examined, newest first, so that a very common word does not make a search slow: with 2,000, a filtered
 * search over 1,000,000 texts takes less than 50 ms (95th percentile).
 */
const MAX_MATCHES = 2_000
/** Maximum number of sessions by which the full-text index filters. For more sessions, comparing the session of each match is faster. */
const MAX_TAGGED_SESSIONS = 64

/** The facts about a session that the filters need. */
export interface AboutSession {
  readonly model: string
  readonly state: HistoryState
}

interface MatchRow {
  readonly id: number
  readonly seq: number
  readonly session_id: SessionId
  readonly folder: string
  readonly at: number
  readonly item: number | null
  readonly step: number
  readonly found_in: FoundIn
  readonly path: string | null
}

export type Match = MatchRow & AboutSession

type Filter = 'foundIn' | 'folder' | 'model' | 'state' | 'day'

/** The column that a filter compares. */
const COLUMNS = { foundIn: 'found_in', folder: 'folder', model: 'session_id', state: 'session_id', day: 'at' } as const

export interface Matcher {
  /** The matches that pass all filters. If `isBound` is true, the maximum was reached, and there may be more matches. */
  readonly matches: readonly Match[]
  readonly isBound: boolean
  /** The value that this filter would compare, for each match that passes all other filters. */
  valuesOf(filter: Filter): readonly string[]
  textOf(match: Match): string
  /** How many events of existing sessions have text that is not indexed completely. */
  cut(): number
}

/** Null if no word is long enough to be searched. */
export function createMatcher(
  db: Connection,
  tags: Tags,
  query: HistoryQuery,
  about: (sessionId: SessionId) => AboutSession | null,
): Matcher | null {
  const words = wordsOf(query.words)
  const long = words.filter(isLongEnough)
  if (long.length === 0) return null
  const known = remembered(about)
  const touching = sessionsTouching(db, query.touched.trim())
  const searched = (filters: HistoryQuery): Search | null => {
    const sessions = sessionsOf(db, filters, touching, known)
    return sessions?.length === 0 ? null : searchOf(db, tags, filters, { words, long, sessions })
  }
  const whole = searched(query)
  const rows = whole ? rowsOf(db, whole) : []
  const matches = rows.flatMap((row): Match[] => {
    const session = known(row.session_id)
    return session ? [{ ...row, ...session }] : []
  })
  const text = db.prepare<[number], string>('SELECT text FROM words WHERE rowid = ?').pluck()
  const cuts = db.prepare<[], { session_id: SessionId; events: number }>(
    'SELECT session_id, count(*) AS events FROM cut GROUP BY session_id',
  )
  return {
    matches,
    isBound: rows.length === MAX_MATCHES,
    valuesOf(filter) {
      const valueOf = valuesFor(filter, known)
      const fields = filter === 'day' ? (['since', 'until'] as const) : ([filter] as const)
      if (fields.every((field) => query[field] === null))
        return matches.map((match) => valueOf(match.session_id, match[COLUMNS[filter]]) ?? '')
      const others = searched({ ...query, ...Object.fromEntries(fields.map((field) => [field, null])) })
      return others ? columnOf(db, others, COLUMNS[filter]).flatMap(([sessionId, value]) => valueOf(sessionId, value) ?? []) : []
    },
    textOf: ({ id }) => text.get(id) ?? '',
    cut: () => cuts.all().reduce((sum, { session_id, events }) => sum + (known(session_id) ? events : 0), 0),
  }
}

/**
 * Returns a function that computes the value that a filter compares, from a match's session and the match's value in `COLUMNS`. The
 * function returns null if the session was deleted.
 */
function valuesFor(
  filter: Filter,
  about: (sessionId: SessionId) => AboutSession | null,
): (sessionId: SessionId, value: string | number) => string | null {
  const values = new Map<string | number, string>()
  return (sessionId, value) => {
    const session = about(sessionId)
    if (!session) return null
    if (filter === 'model' || filter === 'state') return session[filter]
    // Most matches share a value, and computing a day takes longer than looking it up.
    const key = typeof value === 'number' ? Math.floor(value / MINUTE_MS) : value
    const known = values.get(key) ?? (typeof value === 'number' ? dayOf(value) : value)
    values.set(key, known)
    return known
  }
}

/** A day never begins inside a minute, in any time zone. */
const MINUTE_MS = 60_000

/** The same function with cached results: one call per session. */
export function remembered(about: (sessionId: SessionId) => AboutSession | null): (sessionId: SessionId) => AboutSession | null {
  const known = new Map<SessionId, AboutSession | null>()
  return (sessionId) => {
    const session = known.get(sessionId)
    if (session !== undefined) return session
    const read = about(sessionId)
    known.set(sessionId, read)
    return read
  }
}

/** The sessions that pass the filters. Null if all do. */
function sessionsOf(
  db: Connection,
  { sessionId, model, state }: HistoryQuery,
  touching: readonly SessionId[] | null,
  about: (sessionId: SessionId) => AboutSession | null,
): readonly SessionId[] | null {
  if (sessionId === null && model === null && state === null) return touching
  const all = sessionId === null ? (touching ?? allSessions(db)) : touching?.includes(sessionId) === false ? [] : [sessionId]
  return all.filter((id) => {
    const session = about(id)
    return session && (model === null || session.model === model) && (state === null || session.state === state)
  })
}

const allSessions = (db: Connection): readonly SessionId[] =>
  db.prepare<[], SessionId>(`SELECT name FROM tagged WHERE kind = 'session'`).pluck().all()

/** The condition for texts of files that were changed. The file of a refused change was not changed. */
const CHANGED_PATH = `path IS NOT NULL AND found_in <> 'refused'`

/**
 * The sessions that changed a file whose path contains this text or matches this glob, relative to the folder or absolute. Null if there is
 * no such filter.
 */
function sessionsTouching(db: Connection, touched: string): readonly SessionId[] | null {
  if (touched === '') return null
  const glob = /[*?[{]/u.test(touched) ? parseGlob(touched, false) : null
  if (!glob?.ok)
    return db
      .prepare<[string], SessionId>(
        String.raw`SELECT DISTINCT session_id FROM texts INDEXED BY texts_by_path WHERE ${CHANGED_PATH} AND path LIKE ? ESCAPE '\'`,
      )
      .pluck()
      .all(like(touched))
  const changed = db.prepare<[], { path: string; session_id: SessionId }>(
    `SELECT DISTINCT path, session_id FROM texts WHERE ${CHANGED_PATH} ORDER BY path`,
  )
  const sessions = new Set<SessionId>()
  let last = { path: '', isMatch: false }
  for (const { path, session_id: id } of changed.iterate()) {
    if (path !== last.path) last = { path, isMatch: glob.value.matches(path.replaceAll('\\', '/')) }
    if (last.isMatch) sessions.add(id)
  }
  return [...sessions]
}

interface Searched {
  readonly words: readonly string[]
  /** The words that are long enough for the index. */
  readonly long: readonly string[]
  readonly sessions: readonly SessionId[] | null
}

/** The part of an SQL query that follows its columns, and the values of its parameters. */
interface Search {
  readonly sql: string
  readonly values: readonly (string | number)[]
}

const DAY_MS = 86_400_000

/** A time as the number of its day in UTC. */
export const dayNumber = (at: number): number => Math.floor(at / DAY_MS)

/**
 * The smallest range of ids that contains all texts from this time (ms; `until` is excluded), so that the index examines fewer matches. The
 * range can contain other texts, because imported texts are old but have new ids. Null if there are no texts from this time.
 */
function idsOfDays(db: Connection, since: number | null, until: number | null): { readonly first: number; readonly last: number } | null {
  const row = db
    .prepare<[number, number], { first: number | null; last: number | null }>(
      'SELECT min(first) AS first, max(last) AS last FROM days WHERE day BETWEEN ? AND ?',
    )
    .get(dayNumber(since ?? Number.MIN_SAFE_INTEGER), dayNumber((until ?? Number.MAX_SAFE_INTEGER) - 1))
  return row && row.first !== null && row.last !== null ? { first: row.first, last: row.last } : null
}

/** Null if no text can match the filters. */
function searchOf(
  db: Connection,
  tags: Tags,
  { foundIn, folder, order, since, until }: HistoryQuery,
  { words, long, sessions }: Searched,
): Search | null {
  const isTagged = sessions !== null && sessions.length <= MAX_TAGGED_SESSIONS
  const wanted = [
    ...(foundIn === null ? [] : [[tags.known('place', foundIn)]]),
    ...(folder === null ? [] : [[tags.known('folder', folder)]]),
    ...(isTagged ? [sessions.map((id) => tags.known('session', id)).filter((tag) => tag !== '')] : []),
  ]
  const days = since === null && until === null ? undefined : idsOfDays(db, since, until)
  if (days === null || wanted.some((each) => each.join('') === '')) return null
  const match = matchOf(wanted, long, order)
  const conditions: readonly (readonly [string, string | number])[] = [
    ['words MATCH ?', match],
    // A number that is passed as a parameter becomes a float, which the full-text index does not accept as the limit of a scan.
    ...(days
      ? [['words.rowid >= CAST(? AS INTEGER)', days.first] as const, ['words.rowid <= CAST(? AS INTEGER)', days.last] as const]
      : []),
    ...words.filter((word) => !long.includes(word)).map((word) => [String.raw`words.text LIKE ? ESCAPE '\'`, like(word)] as const),
    ...(since === null ? [] : [['t.at >= ?', since] as const]),
    ...(until === null ? [] : [['t.at < ?', until] as const]),
    ...(sessions === null || isTagged ? [] : [['t.session_id IN (SELECT value FROM json_each(?))', JSON.stringify(sessions)] as const]),
  ]
  const by = order === 'best' ? 'bm25(words, 1, 0), words.rowid DESC' : 'words.rowid DESC'
  const where = conditions.map(([sql]) => sql).join(' AND ')
  return {
    sql: `FROM words JOIN texts t ON t.id = words.rowid WHERE ${where} ORDER BY ${by} LIMIT ${MAX_MATCHES}`,
    values: conditions.map(([, value]) => value),
  }
}

/**
 * The expression for texts with one tag of each filter and with all words. A word is a phrase of several trigrams, and intersecting the
 * word with a filter reads the lists of all its trigrams. To make this faster, the filter is first intersected with the word's last trigram
 * and then with its first trigram: the right operand of an AND is compared only with the results of its left operand. NOT prevents SQLite
 * from merging several ANDs into one.
 */
function matchOf(filters: readonly (readonly string[])[], words: readonly string[], order: HistoryQuery['order']): string {
  const text = `text : (${words.map(quoted).join(' AND ')})`
  const tags = filters.map((each) => `tags : (${each.map(quoted).join(' OR ')})`)
  const letters = words.map((word) => [...word]).filter((word) => word.length > MIN_LETTERS)
  // In the order `best`, the occurrences of these trigrams would also affect the rank of a text.
  if (tags.length === 0 || letters.length === 0 || order === 'best') return [...tags, text].join(' AND ')
  const ends = letters.flatMap((word) => [word.slice(-MIN_LETTERS), word.slice(0, MIN_LETTERS)])
  const candidates = ends.reduce(
    (before, end) => `(${before} AND text : ${quoted(end.join(''))}) NOT tags : ${quoted(NO_TAG)}`,
    tags.join(' AND '),
  )
  return `${candidates} AND ${text}`
}

const rowsOf = (db: Connection, { sql, values }: Search): readonly MatchRow[] =>
  db
    .prepare<(string | number)[], MatchRow>(`SELECT t.id, t.seq, t.session_id, t.folder, t.at, t.item, t.step, t.found_in, t.path ${sql}`)
    .all(...values)

const columnOf = (
  db: Connection,
  { sql, values }: Search,
  column: (typeof COLUMNS)[Filter],
): readonly (readonly [SessionId, string | number])[] =>
  db
    .prepare<(string | number)[], [SessionId, string | number]>(`SELECT t.session_id, t.${column} ${sql}`)
    .raw()
    .all(...values)

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`

const like = (part: string): string => `%${part.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`

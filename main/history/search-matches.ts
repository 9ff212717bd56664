import { type FoundIn, type HistoryQuery, type HistoryState, MIN_LETTERS } from '../../shared/api/history.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { parseGlob } from '../environment/search/glob/glob-pattern.ts'
import type { Connection } from '../store/database/connection.ts'

/** Matches that are looked at; the newest ones, so that a word that is everywhere does not make a search slow. */
const MAX_MATCHES = 5_000
/** Sessions looked up in the full-text index at once. Above this, reading the matches is faster. */
const MAX_TAGGED_SESSIONS = 64

type TagKind = 'place' | 'folder' | 'session'

/** Names as three private characters each: one entry of a trigram index, so that a filter costs no more than another word. */
export interface Tags {
  /** Empty: no text has this name. */
  known(kind: TagKind, name: string): string
  made(kind: TagKind, name: string): string
}

export function createTags(db: Connection): Tags {
  const get = db.prepare<[TagKind, string], number>('SELECT number FROM tagged WHERE kind = ? AND name = ?').pluck()
  const insert = db.prepare<[TagKind, string]>('INSERT INTO tagged (kind, name) VALUES (?, ?)')
  const known = (kind: TagKind, name: string): string => tagOf(get.get(kind, name))
  return {
    known,
    made: (kind, name) => known(kind, name) || tagOf(Number(insert.run(kind, name).lastInsertRowid)),
  }
}

/** The first character occurs in no other position, so that two adjacent tags never look like a third one. */
const FIRST = 0xe000
const DIGITS = 0xe100
const BASE = 4_096

function tagOf(number: number | undefined): string {
  if (number === undefined) return ''
  const low = String.fromCodePoint(DIGITS + (Math.floor(number / BASE) % BASE), DIGITS + (number % BASE))
  return String.fromCodePoint(FIRST + Math.floor(number / BASE ** 2)) + low
}

/** What the filters need to know of a session. */
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

export interface Matcher {
  /** The matches that all filters leave but this one. */
  matching(without: Filter | null): { readonly matches: readonly Match[]; readonly isBound: boolean }
  textOf(match: Match): string
  /** Events of existing sessions that have a text which is not indexed whole. */
  cut(): number
}

/** Null: no word is long enough. */
export function createMatcher(
  db: Connection,
  tags: Tags,
  query: HistoryQuery,
  about: (sessionId: SessionId) => AboutSession | null,
): Matcher | null {
  const words = wordsOf(query.words)
  const long = words.filter((word) => [...word].length >= MIN_LETTERS)
  if (long.length === 0) return null
  const known = remembered(about)
  const touching = sessionsTouching(db, query.touched.trim())
  const found = (filters: HistoryQuery): ReturnType<Matcher['matching']> => {
    const sessions = sessionsOf(db, filters, touching, known)
    const rows = sessions?.length === 0 ? [] : rowsOf(db, tags, filters, { words, long, sessions })
    const matches = rows.flatMap((row): Match[] => {
      const session = known(row.session_id)
      return session ? [{ ...row, ...session }] : []
    })
    return { matches, isBound: rows.length === MAX_MATCHES }
  }
  const whole = found(query)
  const text = db.prepare<[number], string>('SELECT text FROM words WHERE rowid = ?').pluck()
  const cuts = db.prepare<[], { session_id: SessionId; events: number }>(
    'SELECT session_id, count(*) AS events FROM cut GROUP BY session_id',
  )
  return {
    matching(without) {
      const fields = without === 'day' ? (['since', 'until'] as const) : without === null ? [] : [without]
      if (fields.every((field) => query[field] === null)) return whole
      return found({ ...query, ...Object.fromEntries(fields.map((field) => [field, null])) })
    },
    textOf: ({ id }) => text.get(id) ?? '',
    cut: () => cuts.all().reduce((sum, { session_id, events }) => sum + (known(session_id) ? events : 0), 0),
  }
}

function remembered(about: (sessionId: SessionId) => AboutSession | null): (sessionId: SessionId) => AboutSession | null {
  const known = new Map<SessionId, AboutSession | null>()
  return (sessionId) => {
    const session = known.get(sessionId)
    if (session !== undefined) return session
    const read = about(sessionId)
    known.set(sessionId, read)
    return read
  }
}

/** The sessions that the filters leave; null: all. */
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

/** The sessions that changed a file with this in its path, or whose path a glob matches, from the folder or as a whole; null: all. */
function sessionsTouching(db: Connection, touched: string): readonly SessionId[] | null {
  if (touched === '') return null
  const glob = /[*?[{]/u.test(touched) ? parseGlob(touched, false) : null
  if (!glob?.ok)
    return db
      .prepare<[string], SessionId>(String.raw`SELECT DISTINCT session_id FROM texts WHERE path LIKE ? ESCAPE '\'`)
      .pluck()
      .all(like(touched))
  const changed = db.prepare<[], { path: string; session_id: SessionId }>(
    'SELECT DISTINCT path, session_id FROM texts WHERE path IS NOT NULL ORDER BY path',
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
  /** The words that the index can look up. */
  readonly long: readonly string[]
  readonly sessions: readonly SessionId[] | null
}

function rowsOf(
  db: Connection,
  tags: Tags,
  { foundIn, folder, order, since, until }: HistoryQuery,
  { words, long, sessions }: Searched,
): readonly MatchRow[] {
  const isTagged = sessions !== null && sessions.length <= MAX_TAGGED_SESSIONS
  const wanted = [
    ...(foundIn === null ? [] : [[tags.known('place', foundIn)]]),
    ...(folder === null ? [] : [[tags.known('folder', folder)]]),
    ...(isTagged ? [sessions.map((id) => tags.known('session', id)).filter((tag) => tag !== '')] : []),
  ]
  if (wanted.some((each) => each.join('') === '')) return []
  const match = [`text : (${long.map(quoted).join(' AND ')})`, ...wanted.map((each) => `tags : (${each.map(quoted).join(' OR ')})`)].join(
    ' AND ',
  )
  const conditions: readonly (readonly [string, string | number])[] = [
    ['words MATCH ?', match],
    ...words.filter((word) => !long.includes(word)).map((word) => [String.raw`words.text LIKE ? ESCAPE '\'`, like(word)] as const),
    ...(since === null ? [] : [['t.at >= ?', since] as const]),
    ...(until === null ? [] : [['t.at < ?', until] as const]),
    ...(sessions === null || isTagged ? [] : [['t.session_id IN (SELECT value FROM json_each(?))', JSON.stringify(sessions)] as const]),
  ]
  const by = order === 'best' ? 'bm25(words, 1, 0), words.rowid DESC' : 'words.rowid DESC'
  return db
    .prepare<(string | number)[], MatchRow>(
      `SELECT t.id, t.seq, t.session_id, t.folder, t.at, t.item, t.step, t.found_in, t.path FROM words JOIN texts t ON t.id = words.rowid
       WHERE ${conditions.map(([sql]) => sql).join(' AND ')} ORDER BY ${by} LIMIT ${MAX_MATCHES}`,
    )
    .all(...conditions.map(([, value]) => value))
}

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`

const like = (part: string): string => `%${part.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`

/** "Quoted words" stay together. */
export function wordsOf(typed: string): readonly string[] {
  return [...typed.matchAll(/"([^"]+)"|(\S+)/gu)]
    .map(([, phrase, word]) => (phrase ?? word ?? '').replaceAll('\0', ''))
    .filter((word) => word !== '')
}

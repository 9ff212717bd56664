import {
  FOUND_IN,
  type FoundIn,
  type HistoryState,
  SESSION_STATES,
  type HistoryAnswer,
  type HistoryHit,
  type HistoryQuery,
  MAX_HITS,
  MIN_LETTERS,
} from '../../shared/api/history.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Connection } from '../store/database/connection.ts'
import type { IndexedText } from '../store/log/indexed-texts.ts'

/** Raised when the tables or what is indexed change: an index of another version is rebuilt from the log. */
const VERSION = 1
/** Matches that are looked at; the newest ones, so that a word that is everywhere does not make a search slow. */
const MAX_MATCHES = 5_000
/** Characters before and after the first match in a hit, and in all. */
const AROUND = 60
const MAX_SHOWN = 300

const SCHEMA = `
  CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    folder TEXT NOT NULL,
    at INTEGER NOT NULL,
    item INTEGER,
    found_in TEXT NOT NULL,
    path TEXT
  ) STRICT;
  CREATE INDEX texts_by_path ON texts (session_id, path) WHERE path IS NOT NULL;
  CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'trigram', detail = 'full');
  CREATE TABLE progress (to_seq INTEGER NOT NULL) STRICT;
  INSERT INTO progress VALUES (0);
`

export interface IndexedEvent {
  readonly seq: number
  readonly sessionId: SessionId
  readonly folder: string
  readonly at: number
  /** Index of the ledger entry; null: none. */
  readonly item: number | null
  readonly texts: readonly IndexedText[]
}

/** The full-text index of all sessions: derived from the log, in a file of its own, and made again whenever it is lost. */
export interface SearchIndex {
  /** Seq of the newest event that was read. */
  position(): number
  /** Adds what these events hold, in one transaction; `to`: the newest event that was read, also if it holds nothing. */
  add(events: readonly IndexedEvent[], to: number): void
  /** Removes all texts of these sessions. */
  forget(sessionIds: readonly SessionId[]): void
  search(query: HistoryQuery): Omit<HistoryAnswer, 'behind'>
}

/** What the filters need to know of a session. */
export interface AboutSession {
  readonly model: string
  readonly state: HistoryState
}

/** `about`: null if the session was deleted; its texts are not found. */
export function openSearchIndex(db: Connection, about: (sessionId: SessionId) => AboutSession | null): SearchIndex {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  if (db.pragma('user_version', { simple: true }) !== VERSION) recreate(db)
  const position = db.prepare<[], number>('SELECT to_seq FROM progress').pluck()
  const advance = db.prepare('UPDATE progress SET to_seq = ?')
  const insert = db.prepare('INSERT INTO texts (seq, session_id, folder, at, item, found_in, path) VALUES (?, ?, ?, ?, ?, ?, ?)')
  const insertWords = db.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)')
  const forgetWords = db.prepare('DELETE FROM words WHERE rowid IN (SELECT id FROM texts WHERE session_id = ?)')
  const forgetTexts = db.prepare('DELETE FROM texts WHERE session_id = ?')
  return {
    position: () => position.get() ?? 0,
    add: db.transaction((events: readonly IndexedEvent[], to: number) => {
      for (const { seq, sessionId, folder, at, item, texts } of events)
        for (const { foundIn, path, text } of texts) {
          const { lastInsertRowid } = insert.run(seq, sessionId, folder, at, item, foundIn, path)
          insertWords.run(lastInsertRowid, text)
        }
      advance.run(to)
    }),
    forget: db.transaction((sessionIds: readonly SessionId[]) => {
      for (const sessionId of sessionIds) {
        forgetWords.run(sessionId)
        forgetTexts.run(sessionId)
      }
    }),
    search: (query) => found(db, query, about),
  }
}

function recreate(db: Connection): void {
  db.transaction(() => {
    db.exec('DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS texts; DROP TABLE IF EXISTS progress;')
    db.exec(SCHEMA)
    db.pragma(`user_version = ${VERSION}`)
  })()
}

interface Match {
  readonly id: number
  readonly seq: number
  readonly session_id: SessionId
  readonly folder: string
  readonly at: number
  readonly item: number | null
  readonly found_in: FoundIn
  readonly path: string | null
}

type KnownMatch = Match & AboutSession

const NOTHING = {
  hits: [],
  byPlace: noCounts(FOUND_IN),
  byFolder: {},
  byModel: {},
  byState: noCounts(SESSION_STATES),
  total: 0,
  isBound: false,
} as const

function found(db: Connection, query: HistoryQuery, about: (sessionId: SessionId) => AboutSession | null): Omit<HistoryAnswer, 'behind'> {
  const words = wordsOf(query.words)
  const long = words.filter((word) => [...word].length >= MIN_LETTERS)
  if (long.length === 0) return NOTHING
  const all = matchesOf(db, query, words, long)
  const sessions = new Map([...new Set(all.map(({ session_id }) => session_id))].map((id) => [id, about(id)]))
  const matches = all.flatMap((match): KnownMatch[] => {
    const session = sessions.get(match.session_id)
    return session ? [{ ...match, ...session }] : []
  })
  const isMeant = ({ found_in, folder, model, state }: KnownMatch, but?: 'place' | 'folder' | 'model' | 'state'): boolean =>
    (but === 'place' || query.foundIn === null || found_in === query.foundIn) &&
    (but === 'folder' || query.folder === null || folder === query.folder) &&
    (but === 'model' || query.model === null || model === query.model) &&
    (but === 'state' || query.state === null || state === query.state)
  const meant = matches.filter((match) => isMeant(match))
  const text = db.prepare<[number], string>('SELECT text FROM words WHERE rowid = ?').pluck()
  return {
    hits: meant.slice(0, MAX_HITS).map((match) => hitOf(match, text.get(match.id) ?? '', words)),
    byPlace: counted(
      matches.filter((match) => isMeant(match, 'place')),
      noCounts(FOUND_IN),
      ({ found_in }) => found_in,
    ),
    byFolder: counted<string>(
      matches.filter((match) => isMeant(match, 'folder')),
      {},
      ({ folder }) => folder,
    ),
    byModel: counted<string>(
      matches.filter((match) => isMeant(match, 'model')),
      {},
      ({ model }) => model,
    ),
    byState: counted(
      matches.filter((match) => isMeant(match, 'state')),
      noCounts(SESSION_STATES),
      ({ state }) => state,
    ),
    total: meant.length,
    isBound: all.length === MAX_MATCHES,
  }
}

function matchesOf(
  db: Connection,
  { sessionId, touched, order, since, until }: HistoryQuery,
  words: readonly string[],
  long: readonly string[],
): readonly Match[] {
  const short = words.filter((word) => !long.includes(word))
  const conditions = [
    'words MATCH ?',
    ...short.map(() => String.raw`words.text LIKE ? ESCAPE '\'`),
    ...(since === null ? [] : ['t.at >= ?']),
    ...(until === null ? [] : ['t.at < ?']),
    ...(sessionId === null ? [] : ['t.session_id = ?']),
    ...(touched.trim() === '' ? [] : [String.raw`t.session_id IN (SELECT session_id FROM texts WHERE path LIKE ? ESCAPE '\')`]),
  ]
  const values = [
    long.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND '),
    ...short.map(like),
    ...(since === null ? [] : [since]),
    ...(until === null ? [] : [until]),
    ...(sessionId === null ? [] : [sessionId]),
    ...(touched.trim() === '' ? [] : [like(touched.trim())]),
  ]
  const by = order === 'best' ? 'bm25(words), words.rowid DESC' : 'words.rowid DESC'
  return db
    .prepare<(string | number)[], Match>(
      `SELECT t.id, t.seq, t.session_id, t.folder, t.at, t.item, t.found_in, t.path FROM words JOIN texts t ON t.id = words.rowid
       WHERE ${conditions.join(' AND ')} ORDER BY ${by} LIMIT ${MAX_MATCHES}`,
    )
    .all(...values)
}

const like = (part: string): string => `%${part.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`

/** "Quoted words" stay together. */
function wordsOf(typed: string): readonly string[] {
  return [...typed.matchAll(/"([^"]+)"|(\S+)/gu)]
    .map(([, quoted, word]) => (quoted ?? word ?? '').replaceAll('\0', ''))
    .filter((word) => word !== '')
}

function hitOf(
  { seq, session_id: sessionId, at, item, found_in: foundIn, path }: Match,
  text: string,
  words: readonly string[],
): HistoryHit {
  return { seq, sessionId, at, item, foundIn, path, parts: shownParts(text, words) }
}

/** The text around the first match; every second part is a match. */
function shownParts(text: string, words: readonly string[]): readonly string[] {
  const pattern = new RegExp(`(${words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)).join('|')})`, 'giu')
  const first = text.search(pattern)
  const lineStart = text.lastIndexOf('\n', first) + 1
  const from = Math.max(lineStart, first - AROUND)
  const shown = text.slice(from, from + MAX_SHOWN)
  return `${from > lineStart ? '…' : ''}${shown}`.split(pattern)
}

function counted<K extends string>(
  matches: readonly KnownMatch[],
  zero: Readonly<Record<K, number>>,
  keyOf: (match: KnownMatch) => K,
): Readonly<Record<K, number>> {
  const counts: Record<string, number> = { ...zero }
  for (const match of matches) counts[keyOf(match)] = (counts[keyOf(match)] ?? 0) + 1
  return counts as Record<K, number>
}

function noCounts<K extends string>(keys: readonly K[]): Readonly<Record<K, number>> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>
}

import {
  FOUND_IN,
  SESSION_STATES,
  type HistoryAnswer,
  type HistoryHit,
  type HistoryQuery,
  MAX_HITS,
  wordsOf,
} from '../../shared/api/history.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Connection } from '../store/database/connection.ts'
import type { IndexedText } from '../store/log/searchable-texts.ts'
import { type AboutSession, createMatcher, dayNumber, type Match, type Matcher, remembered } from './search-matcher.ts'
import { createFilterTerms } from './filter-terms.ts'

/** Increase this number when the tables or the indexed data change. An index of another version is rebuilt from the log. */
const VERSION = 4
/** Maximum numbers of characters of a hit that are shown: before the first match, and in total. */
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
    step INTEGER NOT NULL,
    found_in TEXT NOT NULL,
    path TEXT
  ) STRICT;
  CREATE INDEX texts_by_path ON texts (path, session_id, found_in) WHERE path IS NOT NULL;
  CREATE INDEX texts_by_session ON texts (session_id);
  CREATE VIRTUAL TABLE words USING fts5(text, tags, tokenize = 'trigram', detail = 'full');
  CREATE TABLE tagged (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (kind, name)) STRICT;
  CREATE TABLE days (day INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
  CREATE TABLE cut (seq INTEGER NOT NULL, session_id TEXT NOT NULL) STRICT;
  CREATE TABLE progress (to_seq INTEGER NOT NULL) STRICT;
  INSERT INTO progress VALUES (0);
`

export interface IndexedEvent {
  readonly seq: number
  readonly sessionId: SessionId
  readonly folder: string
  readonly at: number
  /** Index of the ledger entry. Null if there is none. */
  readonly item: number | null
  /** The step to which the text belongs, or the newest step before it. 0 if there is none. */
  readonly step: number
  readonly texts: readonly IndexedText[]
  /** Whether some text of the event was too long to be indexed completely. */
  readonly isCut: boolean
}

/**
 * The full-text index of all sessions. It is derived from the log, is stored in its own file, and is built again if that file is lost.
 */
export interface SearchIndex {
  /** Seq of the newest event that was read. */
  position(): number
  /**
   * Adds the texts of these events in one transaction. `to` is the seq of the newest event that was read, even if that event has no text.
   * Leaves out events that another process has added in the meantime, and events of sessions that have been deleted in the meantime.
   */
  add(events: readonly IndexedEvent[], to: number): void
  /** Removes all texts of these sessions. */
  forget(sessionIds: readonly SessionId[]): void
  search(query: HistoryQuery): Omit<HistoryAnswer, 'behind'>
}

/** `about` returns null for a deleted session. The texts of such a session are never found. */
export function openSearchIndex(db: Connection, about: (sessionId: SessionId) => AboutSession | null): SearchIndex {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  if (db.pragma('user_version', { simple: true }) !== VERSION) recreate(db)
  const position = db.prepare<[], number>('SELECT to_seq FROM progress').pluck()
  const advance = db.prepare('UPDATE progress SET to_seq = ?')
  const insert = db.prepare('INSERT INTO texts (seq, session_id, folder, at, item, step, found_in, path) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const insertWords = db.prepare('INSERT INTO words (rowid, text, tags) VALUES (?, ?, ?)')
  const insertDay = db.prepare(
    'INSERT INTO days VALUES (?, ?, ?) ON CONFLICT (day) DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)',
  )
  const insertCut = db.prepare('INSERT INTO cut (seq, session_id) VALUES (?, ?)')
  const forgetAll = [
    'DELETE FROM words WHERE rowid IN (SELECT id FROM texts WHERE session_id = ?)',
    'DELETE FROM texts WHERE session_id = ?',
    'DELETE FROM cut WHERE session_id = ?',
    `DELETE FROM tagged WHERE kind = 'session' AND name = ?`,
  ].map((sql) => db.prepare<[SessionId]>(sql))
  const tags = createFilterTerms(db)
  const add = db.transaction((events: readonly IndexedEvent[], to: number) => {
    const before = position.get() ?? 0
    if (to <= before) return
    const exists = remembered(about)
    const days = new Map<number, { readonly first: number; readonly last: number }>()
    for (const { seq, sessionId, folder, at, item, step, texts, isCut } of events) {
      if (seq <= before || exists(sessionId) === null) continue
      if (isCut) insertCut.run(seq, sessionId)
      const own = tags.made('session', sessionId) + tags.made('folder', folder)
      for (const { foundIn, path, text } of texts) {
        const { lastInsertRowid } = insert.run(seq, sessionId, folder, at, item, step, foundIn, path)
        insertWords.run(lastInsertRowid, text, own + tags.made('place', foundIn))
        const id = Number(lastInsertRowid)
        days.set(dayNumber(at), { first: days.get(dayNumber(at))?.first ?? id, last: id })
      }
    }
    for (const [day, { first, last }] of days) insertDay.run(day, first, last)
    advance.run(to)
  })
  return {
    position: () => position.get() ?? 0,
    // The position must be read inside the transaction, after the lock was acquired.
    add: (events, to) => add.immediate(events, to),
    forget: db.transaction((sessionIds: readonly SessionId[]) => {
      for (const sessionId of sessionIds) for (const statement of forgetAll) statement.run(sessionId)
    }),
    search: (query) => found(createMatcher(db, tags, query, about), query),
  }
}

function recreate(db: Connection): void {
  db.transaction(() => {
    db.exec(
      'DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS texts; DROP TABLE IF EXISTS progress; DROP TABLE IF EXISTS tagged; DROP TABLE IF EXISTS cut; DROP TABLE IF EXISTS days;',
    )
    db.exec(SCHEMA)
    db.pragma(`user_version = ${VERSION}`)
  })()
}

const NOTHING = {
  hits: [],
  bySession: {},
  byPlace: noCounts(FOUND_IN),
  byFolder: {},
  byModel: {},
  byState: noCounts(SESSION_STATES),
  byDay: {},
  total: 0,
  isBound: false,
  cut: 0,
} as const

/**
 * The counts for a filter come from the matches that pass all other filters. If the filter itself is set, they therefore include texts that
 * are not matches of the search, so they are determined separately.
 */
function found(matcher: Matcher | null, query: Pick<HistoryQuery, 'words' | 'perSession'>): Omit<HistoryAnswer, 'behind'> {
  if (!matcher) return NOTHING
  const { matches, isBound } = matcher
  const words = wordsOf(query.words)
  const bySession = Map.groupBy(matches, ({ session_id: sessionId }) => sessionId)
  const listed = query.perSession === null ? matches : [...bySession.values()].flatMap((own) => own.slice(0, query.perSession ?? 0))
  return {
    hits: listed.slice(0, MAX_HITS).map((match) => hitOf(match, matcher.textOf(match), words)),
    bySession: Object.fromEntries([...bySession].map(([sessionId, own]) => [sessionId, own.length])),
    byPlace: counted(matcher.valuesOf('foundIn'), noCounts(FOUND_IN)),
    byFolder: counted(matcher.valuesOf('folder'), {}),
    byModel: counted(matcher.valuesOf('model'), {}),
    byState: counted(matcher.valuesOf('state'), noCounts(SESSION_STATES)),
    byDay: counted(matcher.valuesOf('day'), {}),
    total: matches.length,
    isBound,
    cut: matcher.cut(),
  }
}

function hitOf(
  { seq, session_id: sessionId, at, item, step, found_in: foundIn, path }: Match,
  text: string,
  words: readonly string[],
): HistoryHit {
  return { seq, sessionId, at, item, step, foundIn, path, parts: shownParts(text, words) }
}

/** The text around the first match, divided into parts. Every second part is a match. */
function shownParts(text: string, words: readonly string[]): readonly string[] {
  const pattern = new RegExp(`(${words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)).join('|')})`, 'giu')
  const first = text.search(pattern)
  const lineStart = text.lastIndexOf('\n', first) + 1
  const from = Math.max(lineStart, first - AROUND)
  const shown = text.slice(from, from + MAX_SHOWN)
  return `${from > lineStart ? '…' : ''}${shown}`.split(pattern)
}

function counted<K extends string>(values: readonly string[], zero: Readonly<Record<K, number>>): Readonly<Record<K, number>> {
  const counts: Record<string, number> = { ...zero }
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts as Record<K, number>
}

function noCounts<K extends string>(keys: readonly K[]): Readonly<Record<K, number>> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>
}

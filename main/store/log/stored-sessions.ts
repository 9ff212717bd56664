import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { newId, SessionId } from '../../../shared/lib/ids.ts'
import type { NewSession } from '../../../shared/session/settings/new-session.ts'
import type { DurableEvent, ParentLink } from '../../../shared/session/events.ts'
import type { EventLog } from '../../agent/ports/event-log.ts'
import { StorageError } from '../../agent/storage-error.ts'
import type { Connection } from '../database/connection.ts'
import { FORK_MARKER, type ForkParts, forkSession, type ForkSources } from './fork-session.ts'
import { createIncompleteSessions, type IncompleteSessions, type IncompleteSessionsParts } from './incomplete-sessions.ts'
import { layerOfSession } from './layer-of-session.ts'
import type { SessionRow } from './projection.ts'
import type { LoggedSessions } from './logged-sessions.ts'
import type { Rebuild } from './rebuild.ts'
import type { SessionRows } from './session-rows.ts'
import type { Stored } from './session-writer.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'

/** Number of rows of the list that are read in one step, which takes a few milliseconds. */
const PAGE = 100

/** All sessions of the store. No session is opened for this. */
export interface StoredSessions extends IncompleteSessions {
  /** Creates a new session and writes its SESSION_START to the log. */
  create(start: NewSession): SessionId
  /** Creates a new session with a copy of this conversation as of the event `to` (see `forkSession`). */
  fork(source: SessionId, to: number): Promise<SessionId>
  /** Stores events of a session that ran in another program, with the times at which they took place (ms since 1970). */
  appendPast(sessionId: SessionId, events: readonly DurableEvent[], times: readonly number[]): Stored
  /** All sessions, newest first. */
  list(): readonly SessionSummary[]
  /**
   * The same list as `list`, read in slices of a few milliseconds. A session that changes in the meantime may be missing. `subscribeAll`
   * reports such a session.
   */
  listInSlices(): Promise<readonly SessionSummary[]>
  /** Sessions with an unfinished turn or undo, in any process, newest first. */
  unfinished(): Promise<readonly SessionId[]>
  get(sessionId: SessionId): SessionSummary | null
  /** The session in whose layer a session works: its own, or that of the session that started it. Null if it works in the folder itself. */
  layerOf(sessionId: SessionId): SessionId | null
  /** The subagents that a session started, newest first, without their own subagents. Reads no states and no other sessions. */
  subagentsOf(parentId: SessionId): readonly SubagentLink[]
  /** Small named values that are attached to the session, such as `archived`. */
  markers(sessionId: SessionId): ReadonlyMap<string, string>
  /** The values of one marker, by session. */
  marked(name: string): ReadonlyMap<SessionId, string>
  /** Null removes the marker. */
  mark(sessionId: SessionId, name: string, value: string | null): void
  /** Rebuilds a session's row from its log. */
  rebuild(sessionId: SessionId): void
}

interface SubagentLink {
  readonly sessionId: SessionId
  readonly parent: ParentLink
}

export interface StoredSessionsParts {
  readonly db: Connection
  readonly rebuild: Rebuild
  readonly rows: SessionRows
  readonly logged: LoggedSessions
  readonly log: (sessionId: SessionId) => EventLog
  readonly fork: ForkSources
  /** Drops what this process remembers of deleted sessions, and notifies the session lists. */
  readonly forget: (sessionIds: readonly SessionId[]) => void
  readonly summaries: (rows: readonly SessionRow[]) => readonly SessionSummary[]
  readonly readOnly: boolean
  readonly onTrouble: IncompleteSessionsParts['onTrouble']
  readonly write: <T>(work: () => T) => T
  readonly read: <T>(work: () => T) => T
}

export function createStoredSessions(parts: StoredSessionsParts): StoredSessions {
  const { db, rebuild, rows, logged, log, readOnly, write, read, forget } = parts
  const markers = db.prepare<[SessionId], { name: string; value: string }>('SELECT name, value FROM markers WHERE session_id = ?')
  const marked = db.prepare<[string], { session_id: SessionId; value: string }>('SELECT session_id, value FROM markers WHERE name = ?')
  const mark = db.prepare('REPLACE INTO markers (session_id, name, value) VALUES (?, ?, ?)')
  const unmark = db.prepare('DELETE FROM markers WHERE session_id = ? AND name = ?')
  const incomplete = createIncompleteSessions({ db, life: parts.fork.life, write, read, forget, onTrouble: parts.onTrouble })
  const summaries: StoredSessionsParts['summaries'] = (all) =>
    parts.summaries(all.filter(({ session_id: sessionId }) => !incomplete.isHidden(sessionId)))
  const layerOf = layerOfSession(db)
  let isVerified = readOnly

  const mend = (sessionId: SessionId): void => {
    try {
      rebuild.now(sessionId)
    } catch (error) {
      // A session that is damaged or cannot be written now must not hide the others. Opening it reports the failure.
      if (!(error instanceof StorageError)) throw error
    }
  }
  /** Checks that the list matches the log, once per opened store. */
  const verify = (): void => {
    if (isVerified) return
    isVerified = true
    logged.check(mend)
  }
  let verifying: Promise<void> | null = null
  const verifyInSlices = async (): Promise<void> => {
    if (isVerified) return
    verifying ??= logged.checkInSlices(mend).finally(() => (verifying = null))
    await verifying
    isVerified = true
  }
  const inPages: typeof readInPages = async (...how) => {
    await verifyInSlices()
    return readInPages(...how)
  }

  return {
    create({ sessionId = SessionId.parse(newId('s')), ...start }) {
      log(sessionId).append({ kind: 'SESSION_START', sessionId, ...start })
      return sessionId
    },
    fork(source, to) {
      const note: ForkParts['mark'] = (sessionId, value) => void mark.run(sessionId, FORK_MARKER, JSON.stringify(value))
      return forkSession(source, to, { ...parts.fork, mark: note, write, dropIncomplete: incomplete.dropIncomplete })
    },
    ...incomplete,
    appendPast: (sessionId, events, times) => write(() => parts.fork.writer(sessionId).append(events, times)),
    list: () =>
      read(() => {
        verify()
        return summaries(rows.all())
      }),
    subagentsOf: (parentId) =>
      read(() => {
        verify()
        return rows.subagentsOf(parentId).filter(({ sessionId }) => !incomplete.isHidden(sessionId))
      }),
    listInSlices: () => reading(() => inPages(rows.before, summaries), read),
    unfinished: () =>
      reading(async () => {
        const found = await inPages(rows.progressBefore, unfinishedOf)
        // The first page is read again, because sessions that changed in the meantime have moved there.
        return [...new Set([...unfinishedOf(rows.progressBefore(Number.MAX_SAFE_INTEGER, PAGE)), ...found])]
      }, read),
    get: (sessionId) =>
      read(() => {
        const row = rows.get(sessionId)
        return row ? (summaries([row])[0] ?? null) : null
      }),
    layerOf: (sessionId) => read(() => layerOf(sessionId)),
    markers: (sessionId) => new Map(read(() => markers.all(sessionId)).map(({ name, value }) => [name, value])),
    marked: (name) => new Map(read(() => marked.all(name)).map(({ session_id, value }) => [session_id, value])),
    mark(sessionId, name, value) {
      write(() => (value === null ? unmark.run(sessionId, name) : mark.run(sessionId, name, value)))
    },
    rebuild: rebuild.now,
  }
}

/** All rows, newest first, a page at a time. */
async function readInPages<Row extends { readonly cursor: number }, T>(
  pageBefore: (seq: number, most: number) => readonly Row[],
  take: (page: readonly Row[]) => readonly T[],
): Promise<readonly T[]> {
  const slice = createSlices()
  const found: T[] = []
  for (let page = pageBefore(Number.MAX_SAFE_INTEGER, PAGE); page.length > 0; page = pageBefore(page.at(-1)?.cursor ?? 0, PAGE)) {
    found.push(...take(page))
    await slice()
  }
  return found
}

const unfinishedOf = (rows: ReturnType<SessionRows['progressBefore']>): readonly SessionId[] =>
  rows.filter(({ isUnfinished }) => isUnfinished === 1).map(({ session_id }) => session_id)

/** Awaits `work`, and gives a rejection the same message that `read` gives to a thrown error. */
export async function reading<T>(work: () => Promise<T>, read: <R>(work: () => R) => R): Promise<T> {
  try {
    return await work()
  } catch (error) {
    return read(() => {
      throw error
    })
  }
}

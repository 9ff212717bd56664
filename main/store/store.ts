import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { StorageHealth } from '../../shared/api/app.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Envelope, Trouble } from '../../shared/session/events.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { CallTraces } from '../agent/ports/call-traces.ts'
import type { EventLog } from '../agent/ports/event-log.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { BlobFiles } from './blobs/blob-files.ts'
import { createBlobs, type Blobs } from './blobs/blobs.ts'
import { createCallTraces } from './claims/call-traces.ts'
import type { Connection } from './database/connection.ts'
import { createEventLog } from './log/event-log.ts'
import { createEventRows } from './log/event-rows.ts'
import { createFolders, type Folders } from './folders.ts'
import { followOthers } from './log/follow.ts'
import { createGuards } from './database/guards.ts'
import { createIdleCheckpoint } from './database/idle-checkpoint.ts'
import { createClaims, type Claims } from './claims/claims.ts'
import { createLedger, type Ledger } from './log/ledger.ts'
import type { LifeLock } from './claims/life-lock.ts'
import { createLoggedSessions } from './log/logged-sessions.ts'
import type { Notes } from './claims/notes.ts'
import { summaryOf, type SessionRow } from './log/projection.ts'
import { createSessionRows } from './log/session-rows.ts'
import { createPreparation } from './database/preparation.ts'
import { createRebuild } from './log/rebuild.ts'
import { createSessions, type Sessions } from './log/sessions.ts'
import { createSubscriptions, type EnvelopeListener, type SummaryListener } from './log/subscriptions.ts'

/** All that is kept of all sessions. Whatever cannot be stored or read throws `StorageError`. */
export interface Store {
  readonly sessions: Sessions
  readonly blobs: Blobs
  readonly claims: Claims
  readonly folders: Folders
  readonly ledger: Ledger
  /** What this process would leave about if it were killed. */
  readonly notes: Notes
  /** The traces of a session's running steps. */
  traces(sessionId: SessionId): CallTraces
  /** The log of a session; one that has no events yet is an empty log. */
  log(sessionId: SessionId): EventLog
  /**
   * Makes anew what another version derived from a session's log, in slices of some milliseconds; to be waited for before its log or ledger
   * is used, which otherwise do the same at once. Nothing to do for nearly all.
   */
  prepare(sessionId: SessionId): Promise<void>
  /** A session's stored events after `cursor`, in order, by batches, each read when it is asked for. */
  eventsAfter(sessionId: SessionId, cursor: number): Iterable<readonly Envelope[]>
  /** How many these are, counted up to `most`. */
  countAfter(sessionId: SessionId, cursor: number, most: number): number
  /**
   * Stored events after `after` (left out: from now on), each once and in order, whichever process stored them, and this process's live
   * events in between. What is stored already is told before `subscribe` returns.
   */
  subscribe(sessionId: SessionId, listener: EnvelopeListener, after?: number): Disposable
  /** Told of each session that changes, in any process. May be told twice of the same change. */
  subscribeAll(listener: SummaryListener): Disposable
  /** `trouble`: why what happens now is not being saved; null after the first write that succeeds again. */
  health(): StorageHealth
  onTrouble(listener: (trouble: Trouble | null) => void): Disposable
  /** Ends every claim of this opening and closes the files. */
  close(): void
}

export interface StoreParts {
  readonly db: Connection
  /** Why nothing can be written; null: everything can. */
  readonly readOnly: Trouble | null
  /** The derived tables are temporary ones of this connection, empty at first (`shadowDerivedTables`). */
  readonly isShadowed: boolean
  readonly file: string
  readonly clock: Pick<Clock, 'now'>
  readonly life: LifeLock
  readonly files: BlobFiles | null
  readonly notes: Notes
  /** Folder of the traces of running steps; null: none are kept. */
  readonly traces: string | null
}

/** Logs whose newest state is remembered between two appends; that of others is read again. Of 2,000 sessions it would be 18 MB. */
const KEPT_LOGS = 40

export function createStore({ db, readOnly, isShadowed, file, clock, life, files, notes, traces: tracesIn }: StoreParts): Store {
  const { write, read, health, failed } = createGuards(db, file, readOnly)
  const checkpoint = createIdleCheckpoint(db)
  const written = <T>(work: () => T): T => {
    const value = write(work)
    checkpoint.wrote()
    return value
  }
  const events = createEventRows(db)
  const rows = createSessionRows(db)
  const logged = createLoggedSessions(db)
  const ledger = createLedger(events, rows)
  const subscriptions = createSubscriptions((sessionId, after) => events.between(sessionId, { after }))
  const summary = (row: SessionRow): SessionSummary => summaryOf(row, claims.holder(row.session_id) !== null)
  const announce = (row: SessionRow): void => {
    if (subscriptions.allIsHeard) subscriptions.summary(summary(row))
  }
  const changed = (sessionId: SessionId): void => {
    const row = subscriptions.allIsHeard ? rows.get(sessionId) : null
    if (row) announce(row)
  }
  const claims = createClaims({ db, life, clock, write: written, read, changed })
  const summaries = (all: readonly SessionRow[]): readonly SessionSummary[] => {
    const running = claims.running()
    return all.map((row) => summaryOf(row, running.has(row.session_id)))
  }
  const logs = new Map<SessionId, EventLog>()
  const log = (sessionId: SessionId): EventLog => {
    ready(sessionId)
    const parts = { db, events, sessions: rows, ledger, subscriptions, clock, summary, write: written, read }
    const known = logs.get(sessionId) ?? createEventLog(sessionId, parts)
    logs.delete(sessionId)
    logs.set(sessionId, known)
    const [oldest] = logs.keys()
    if (logs.size > KEPT_LOGS && oldest !== undefined) logs.delete(oldest)
    return known
  }
  const following = followOthers({ db, events, sessions: rows, subscriptions, running: claims.running, announce, failed })

  const rebuild = createRebuild({ db, events, rows, isShadowed, write: readOnly ? (work) => work() : written })
  const sessions = createSessions({ db, rebuild, rows, logged, log, summaries, readOnly: readOnly !== null, write: written, read })
  const { ready, prepare } = createPreparation({ rows, rebuild, isShadowed, file, read })

  return {
    sessions,
    blobs: createBlobs({ db, files, write: written, read }),
    claims,
    folders: createFolders({ db, clock, write: written, read }),
    ledger: checked(ledger, ready, read),
    notes,
    traces: (sessionId) => createCallTraces(tracesIn, sessionId),
    log,
    prepare,
    eventsAfter: (sessionId, cursor) => guarded(events.batches(sessionId, { after: cursor }), read),
    countAfter: (sessionId, cursor, most) => read(() => events.countAfter(sessionId, cursor, most)),
    subscribe(sessionId, listener, after) {
      const from = after ?? read(() => rows.cursor(sessionId))
      const subscription = subscriptions.add(sessionId, from, listener)
      if (after === undefined) return subscription
      for (const missed of guarded(events.batches(sessionId, { after: from }), read)) subscriptions.deliver(sessionId, missed)
      return subscription
    },
    subscribeAll: (listener) => subscriptions.addAll(listener),
    health: () => ({ trouble: health.trouble, ...read(() => ({ onDisk: logged.count(), listed: rows.count() })) }),
    onTrouble: health.onTrouble,
    close() {
      following.dispose()
      checkpoint.dispose()
      releaseQuietly(claims)
      notes.dispose()
      try {
        db.close()
      } finally {
        life.dispose()
      }
    },
  }
}

/** Each step of a reading with the store's words for what goes wrong. */
function* guarded<T>(reading: Generator<T>, read: <R>(work: () => R) => R): Generator<T> {
  for (let next = read(() => reading.next()); !next.done; next = read(() => reading.next())) yield next.value
}

/** A ledger whose rows are made ready before they are read. */
const checked = (ledger: Ledger, ready: (sessionId: SessionId) => void, read: <T>(work: () => T) => T): Ledger => ({
  snapshot(sessionId, limit) {
    ready(sessionId)
    return read(() => ledger.snapshot(sessionId, limit))
  },
  page(sessionId, before, limit) {
    ready(sessionId)
    return read(() => ledger.page(sessionId, before, limit))
  },
  call(sessionId, toolCallId) {
    ready(sessionId)
    return read(() => ledger.call(sessionId, toolCallId))
  },
  changes(sessionId, from, most) {
    ready(sessionId)
    return read(() => ledger.changes(sessionId, from, most))
  },
})

/** What cannot be written now ends all the same: a claim is worth nothing without the life lock, which goes next. */
function releaseQuietly(claims: Claims): void {
  try {
    claims.releaseAll()
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}

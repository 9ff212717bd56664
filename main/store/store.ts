import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { StorageHealth } from '../../shared/api/app.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Envelope, Trouble } from '../../shared/session/events.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { RunningCallTraces } from '../agent/ports/running-call-traces.ts'
import type { EventLog } from '../agent/ports/event-log.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { BlobFiles } from './blobs/blob-files.ts'
import { createBlobs, type Blobs } from './blobs/blobs.ts'
import { createRunningCallTraces } from './claims/running-call-traces.ts'
import type { Connection } from './database/connection.ts'
import { createEventLog } from './log/event-log.ts'
import { createEventRows, type EventRows } from './log/event-rows.ts'
import { createFolderDecisions, type FolderDecisions } from './folder-decisions.ts'
import type { ForkSources } from './log/fork-session.ts'
import { followOtherProcesses } from './log/follow-other-processes.ts'
import { createGuardedAccess } from './database/guarded-access.ts'
import { type CheckpointElsewhere, createCheckpoints } from './database/checkpoints.ts'
import type { DiskSync } from './database/disk-sync.ts'
import { createClaims, type Claims } from './claims/claims.ts'
import { createLedgerPages, type LedgerPages } from './log/ledger-pages.ts'
import type { LifeLock } from './claims/life-lock.ts'
import { createLoggedSessions, type LoggedSessions } from './log/logged-sessions.ts'
import type { Notes } from './claims/crash-notes-file.ts'
import { summaryOf, type SessionRow } from './log/projection.ts'
import { createSessionRows, type SessionRows } from './log/session-rows.ts'
import { createRebuildOnFirstUse } from './log/rebuild-on-first-use.ts'
import { createRebuild } from './log/rebuild.ts'
import { createSessionWriter, type SessionWriterParts } from './log/session-writer.ts'
import { createStoredSessions, reading, type StoredSessions } from './log/stored-sessions.ts'
import { createSubscriptions, type EnvelopeListener, type Subscriptions, type SummaryListener } from './log/subscriptions.ts'

/** All data that is stored about all sessions. Throws a `StorageError` if something cannot be stored or read. */
export interface Store {
  readonly sessions: StoredSessions
  readonly blobs: Blobs
  readonly claims: Claims
  readonly folders: FolderDecisions
  readonly ledger: LedgerPages
  /** Records what this process would leave behind if it were killed. */
  readonly notes: Notes
  /** Traces of a session's running steps. */
  traces(sessionId: SessionId): RunningCallTraces
  /** The log of a session; empty if it has no events yet. */
  log(sessionId: SessionId): EventLog
  /**
   * If another version of Countersign derived a session's data from its log, rebuilds this data in slices of a few milliseconds. Await this
   * before using the log or the ledger; otherwise they rebuild the data in one step. Does nothing for nearly all sessions.
   */
  prepare(sessionId: SessionId): Promise<void>
  /** A session's stored events after `cursor`, in order, in batches that are read one at a time. */
  eventsAfter(sessionId: SessionId, cursor: number): Iterable<readonly Envelope[]>
  /** The number of a session's stored events after `cursor`. Counting stops at `most`. */
  countAfter(sessionId: SessionId, cursor: number, most: number): number
  /** The newest change of a file that was recorded after this request of a session, in the place where it works. Null if there is none. */
  changeSince: EventRows['changeSince']
  /** The same, after the event `seq`. */
  changeAfter: EventRows['changeAfter']
  /** The same, in the folder itself. */
  changeInFolder: EventRows['changeInFolder']
  /**
   * Delivers the stored events of all processes after `after` (default: from now on), each once and in order, and this process's live
   * events in between. Events that are already stored are delivered before `subscribe` returns.
   */
  subscribe(sessionId: SessionId, listener: EnvelopeListener, after?: number): Disposable
  /** Calls the listener for each session that changes, in any process. It may be called twice for one change. */
  subscribeAll(listener: SummaryListener): Disposable
  /** Drops what this process remembers of deleted sessions, and calls the listeners of `onRemoved`. */
  forget(sessionIds: readonly SessionId[]): void
  onRemoved(listener: (sessionIds: readonly SessionId[]) => void): Disposable
  /** The reason why nothing is being saved at the moment. It is null again after the first write that succeeds. */
  trouble(): Trouble | null
  /** The result of `trouble`, and the session counts. The first call reads the log, unless `count` was awaited. */
  health(): StorageHealth
  /** Counts the sessions in slices of a few milliseconds. */
  count(): Promise<void>
  onTrouble(listener: (trouble: Trouble | null) => void): Disposable
  /** Whether another process has this store open. That process may be about to refer to any blob. */
  isShared(): boolean
  /** Uses `elsewhere` for large checkpoints from now on, because they wait for the disk. */
  moveCheckpoints(elsewhere: CheckpointElsewhere): void
  /** Releases all claims of this store and closes its files. */
  close(): void
}

export interface StoreParts {
  readonly db: Connection
  /** The reason why nothing can be written; null if everything can be written. */
  readonly readOnly: Trouble | null
  /** Whether the derived tables are temporary tables of this connection, which are initially empty (`shadowDerivedTables`). */
  readonly isShadowed: boolean
  readonly file: string
  readonly disk: DiskSync
  readonly clock: Pick<Clock, 'now'>
  readonly life: LifeLock
  readonly files: BlobFiles | null
  readonly notes: Notes
  /** Folder for traces of running steps; null if no traces are kept. */
  readonly traces: string | null
}

/**
 * Number of logs whose newest state is kept in memory between appends. For other logs, the state is read again. Keeping the states of
 * 2,000 sessions would take 18 MB.
 */
const KEPT_LOGS = 40

export function createStore({ db, readOnly, isShadowed, file, disk, clock, life, files, notes, traces: tracesIn }: StoreParts): Store {
  const { write, read, onDisk, health, failed } = createGuardedAccess(db, file, readOnly, disk)
  const checkpoints = createCheckpoints(db)
  const written = <T>(work: () => T): T => {
    const value = write(work)
    checkpoints.wrote()
    return value
  }
  const events = createEventRows(db)
  const rows = createSessionRows(db)
  const logged = createLoggedSessions(db)
  const ledger = createLedgerPages(events, rows)
  const subscriptions = createSubscriptions((sessionId, after) => events.between(sessionId, { after }))
  const summary = (row: SessionRow): SessionSummary => summaryOf(row, claims.holder(row.session_id) !== null)
  const announce = (row: SessionRow): void => {
    if (subscriptions.allIsHeard) subscriptions.summary(summary(row))
  }
  const changed = (sessionId: SessionId): void => {
    const row = subscriptions.allIsHeard ? read(() => rows.get(sessionId)) : null
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
    const parts = { db, events, sessions: rows, ledger, subscriptions, clock, summary, write: written, read, onDisk }
    const known = logs.get(sessionId) ?? createEventLog(sessionId, parts)
    logs.delete(sessionId)
    logs.set(sessionId, known)
    const [oldest] = logs.keys()
    if (logs.size > KEPT_LOGS && oldest !== undefined) logs.delete(oldest)
    return known
  }
  const { forget, onRemoved } = forgetting(logs, logged)
  const running = claims.running
  const following = followOtherProcesses({ db, events, sessions: rows, subscriptions, running, announce, failed, removed: forget })

  const rebuild = createRebuild({ db, events, rows, isShadowed, write: readOnly ? (work) => work() : written })
  const fork = { ...forkSources({ db, events, sessions: rows, ledger, clock }, life, read), claims }
  const sessions = createStoredSessions({
    db,
    rebuild,
    rows,
    logged,
    log,
    fork,
    forget,
    summaries,
    readOnly: readOnly !== null,
    write: written,
    read,
    onTrouble: health.onTrouble,
  })
  const { ready, prepare } = createRebuildOnFirstUse({ rows, rebuild, isShadowed, file, read })

  return {
    sessions,
    blobs: createBlobs({ db, files, write: written, read }),
    claims,
    folders: createFolderDecisions({ db, clock, write: written, read }),
    ledger: checked(ledger, ready, read),
    notes,
    traces: (sessionId) => createRunningCallTraces(tracesIn, sessionId),
    log,
    prepare,
    eventsAfter: (sessionId, cursor) => guarded(events.batches(sessionId, { after: cursor }), read),
    countAfter: (sessionId, cursor, most) => read(() => events.countAfter(sessionId, cursor, most)),
    subscribe: subscribing({ events, rows, subscriptions, read }),
    forget,
    onRemoved,
    changeSince: (request, path) => read(() => events.changeSince(request, path)),
    changeAfter: (event, path) => read(() => events.changeAfter(event, path)),
    changeInFolder: (seq, path) => read(() => events.changeInFolder(seq, path)),
    subscribeAll: subscriptions.addAll,
    trouble: () => health.trouble,
    onTrouble: health.onTrouble,
    count: () => reading(logged.countInSlices, read),
    health: () => ({ trouble: health.trouble, ...read(() => ({ onDisk: logged.count(), listed: rows.count() })) }),
    isShared: life.hasOthers,
    moveCheckpoints: checkpoints.moveTo,
    close() {
      following.dispose()
      checkpoints.dispose()
      releaseQuietly(claims)
      notes.dispose()
      disk.dispose()
      try {
        db.close()
      } finally {
        life.dispose()
      }
    },
  }
}

interface SubscribingParts {
  readonly events: EventRows
  readonly rows: SessionRows
  readonly subscriptions: Subscriptions
  readonly read: <T>(work: () => T) => T
}

const subscribing =
  ({ events, rows, subscriptions, read }: SubscribingParts): Store['subscribe'] =>
  (sessionId, listener, after) => {
    const from = after ?? read(() => rows.cursor(sessionId))
    const subscription = subscriptions.add(sessionId, from, listener)
    if (after === undefined) return subscription
    for (const missed of guarded(events.batches(sessionId, { after: from }), read)) subscriptions.deliver(sessionId, missed)
    return subscription
  }

function forgetting(logs: Map<SessionId, EventLog>, logged: LoggedSessions): Pick<Store, 'forget' | 'onRemoved'> {
  const removed = new Emitter<readonly SessionId[]>()
  return {
    forget(sessionIds) {
      for (const sessionId of sessionIds) logs.delete(sessionId)
      logged.forget(sessionIds)
      removed.fire(sessionIds)
    },
    onRemoved: removed.event,
  }
}

const forkSources = (parts: SessionWriterParts, life: LifeLock, read: <T>(work: () => T) => T): Omit<ForkSources, 'claims'> => ({
  batches: (sessionId, to) => guarded(parts.events.batches(sessionId, { after: 0, to }), read),
  writer: (sessionId) => createSessionWriter(sessionId, parts),
  life,
})

/** Yields what `reading` yields. Its errors get the store's messages. */
function* guarded<T>(reading: Generator<T>, read: <R>(work: () => R) => R): Generator<T> {
  for (let next = read(() => reading.next()); !next.done; next = read(() => reading.next())) yield next.value
}

/** Returns the same ledger, but rebuilds rows that are out of date before they are read. */
const checked = (ledger: LedgerPages, ready: (sessionId: SessionId) => void, read: <T>(work: () => T) => T): LedgerPages => ({
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

/** A claim that cannot be released is harmless, because claims are worth nothing without the life lock, which is released next. */
function releaseQuietly(claims: Claims): void {
  try {
    claims.releaseAll()
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}

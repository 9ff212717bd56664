import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from '../database/connection.ts'
import type { EventRows } from './event-rows.ts'
import type { SessionRow } from './projection.ts'
import type { SessionRows } from './session-rows.ts'
import type { Subscriptions } from './subscriptions.ts'

/**
 * Interval in ms at which the log is checked for writes of other processes while somebody listens. A check is one pragma, which takes a
 * few microseconds.
 */
const CHECK_EVERY_MS = 150
/**
 * After this many checks, the process also checks whether the holders of claims are alive, because a process that was killed writes
 * nothing.
 */
const CHECKS_PER_CLAIM_CHECK = 10

export interface FollowParts {
  readonly db: Connection
  readonly events: EventRows
  readonly sessions: SessionRows
  readonly subscriptions: Subscriptions
  readonly running: () => ReadonlySet<SessionId>
  readonly announce: (row: SessionRow) => void
  /** Called with sessions that any process has deleted. */
  readonly removed: (sessionIds: readonly SessionId[]) => void
  /** Called when a check fails. Later checks are made anyway. */
  readonly failed: (error: unknown) => void
}

/** Delivers events stored by other processes to the subscribers of this one, in order and without gaps. */
export function followOtherProcesses(parts: FollowParts): Disposable {
  const { db, events, sessions, subscriptions } = parts
  let timer: NodeJS.Timeout | undefined
  let version: unknown
  let checks = 0
  let listedUpTo = 0
  let running: ReadonlySet<SessionId> = new Set()
  let listed = new Set<SessionId>()

  const check = (): void => {
    checks++
    const now = db.pragma('data_version', { simple: true })
    const isChanged = now !== version
    version = now
    if (isChanged) followEvents()
    if (isChanged && subscriptions.allIsHeard) followDeletions()
    if (subscriptions.allIsHeard && (isChanged || checks % CHECKS_PER_CLAIM_CHECK === 0)) followClaims()
  }
  const followEvents = (): void => {
    for (const [sessionId, cursor] of subscriptions.followed()) {
      if (sessions.cursor(sessionId) <= cursor) continue
      for (const missed of events.batches(sessionId, { after: cursor })) subscriptions.deliver(sessionId, missed)
    }
    for (const row of sessions.since(listedUpTo)) {
      listedUpTo = row.cursor
      listed.add(row.session_id)
      parts.announce(row)
    }
  }
  const followDeletions = (): void => {
    if (sessions.count() === listed.size) return
    const now = new Set(sessions.ids())
    const gone = [...listed.difference(now)]
    listed = now
    if (gone.length > 0) parts.removed(gone)
  }
  const followClaims = (): void => {
    const now = parts.running()
    const changed = [...now.symmetricDifference(running)]
    running = now
    for (const row of changed.map((sessionId) => sessions.get(sessionId))) if (row) parts.announce(row)
  }
  const guarded = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      parts.failed(error)
    }
  }

  subscriptions.onHeard((heard) => {
    clearInterval(timer)
    if (!heard) return
    version = undefined
    guarded(() => {
      listedUpTo = events.last()
      listed = new Set(sessions.ids())
      running = parts.running()
    })
    timer = setInterval(() => guarded(check), CHECK_EVERY_MS)
    timer.unref()
  })
  return disposable(() => clearInterval(timer))
}

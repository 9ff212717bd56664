import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Result } from '../../shared/lib/result.ts'
import type { Envelope, ParentLink, Trouble } from '../../shared/session/events.ts'
import type { NewSession } from '../../shared/session/settings/new-session.ts'
import type { Item, SessionState } from '../../shared/session/state.ts'
import type { EventLog } from '../agent/ports/event-log.ts'

/**
 * The functions of the store that sessions need (implemented by `main/store`). They throw a `StorageError` if something cannot be stored
 * or read.
 */
export interface SessionStore {
  readonly sessions: {
    create(start: NewSession): SessionId
    fork(source: SessionId, to: number): Promise<SessionId>
    list(): readonly SessionSummary[]
    subagentsOf(parentId: SessionId): readonly { readonly sessionId: SessionId; readonly parent: ParentLink }[]
    listInSlices(): Promise<readonly SessionSummary[]>
    unfinished(): Promise<readonly SessionId[]>
    get(sessionId: SessionId): SessionSummary | null
  }
  readonly ledger: {
    snapshot(sessionId: SessionId, limit: number): SessionState | null
    page(sessionId: SessionId, before: number, limit: number): { readonly firstItem: number; readonly items: readonly Item[] }
  }
  readonly claims: {
    acquire(sessionId: SessionId): Result<unknown, Trouble>
    release(sessionId: SessionId): void
    holder(sessionId: SessionId): { readonly here: boolean } | null
    running(): ReadonlySet<SessionId>
  }
  log(sessionId: SessionId): EventLog
  prepare(sessionId: SessionId): Promise<void>
  eventsAfter(sessionId: SessionId, cursor: number): Iterable<readonly Envelope[]>
  countAfter(sessionId: SessionId, cursor: number, most: number): number
  /** Calls the listener with sessions that any process has deleted. */
  onRemoved(listener: (sessionIds: readonly SessionId[]) => void): Disposable
  subscribeAll(listener: (session: SessionSummary) => void): Disposable
}

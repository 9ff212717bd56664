import type { SessionListItem, SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { tryAllAtOnce } from '../../shared/lib/try-all.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { NewSession } from '../../shared/session/new-session.ts'
import type { Item } from '../../shared/session/state.ts'
import { StorageError } from '../agent/storage-error.ts'
import { type OpenedSession, type OpenedSessionParts, openSession } from './opened-session.ts'
import { watchList } from './session-list.ts'

/** All sessions of a store, as one process has them: many at once, each run by one process (DESIGN §1). */
export interface Sessions {
  /** A new session in a folder (a real path), opened here. Nothing is asked of a model before the first message. */
  create(start: NewSession): Promise<Result<OpenedSession, Trouble>>
  /** The same object for the same session until it is closed. Takes the lease, or follows the process that has it. A damaged one fails. */
  open(sessionId: SessionId): Promise<Result<OpenedSession, Trouble>>
  list(signal: AbortSignal): AsyncIterable<SessionListItem>
  page(sessionId: SessionId, before: number, limit: number): { readonly firstItem: number; readonly items: readonly Item[] }
  /**
   * At the start: takes over what died in the middle of a turn (see `recover`); what other processes run is left to them. One that cannot be
   * read keeps no other from being put in order; why it could not is in the result.
   */
  recover(): Promise<readonly unknown[]>
  /** With SESSION_END: state CLOSED. */
  close(sessionId: SessionId): Promise<void>
  /** Ends all that runs here; nothing survives. What waits for a signature goes on waiting for the next start. */
  closeAll(): Promise<void>
}

/** Sessions that stay open although nobody looks at them and nothing runs in them, so that going back and forth costs nothing. */
const KEPT_IDLE = 20

export function createSessions(parts: OpenedSessionParts): Sessions {
  const { store } = parts
  const opened = new Map<SessionId, Promise<OpenedSession>>()
  const settled = new Map<SessionId, OpenedSession>()
  let isClosing = false

  const openOne = async (summary: SessionSummary): Promise<OpenedSession> => {
    const session = await openSession(parts, summary)
    settled.set(summary.sessionId, session)
    return session
  }
  const drop = async (sessionId: SessionId, how: 'end' | 'suspend'): Promise<void> => {
    const opening = opened.get(sessionId)
    opened.delete(sessionId)
    settled.delete(sessionId)
    await (await opening)?.close(how)
  }
  const dropIdle = async (): Promise<void> => {
    const idle = [...settled.values()].filter(isIdle)
    await Promise.all(idle.slice(0, -KEPT_IDLE).map(({ sessionId }) => drop(sessionId, 'suspend')))
  }
  const open = async (sessionId: SessionId): Promise<Result<OpenedSession, Trouble>> => {
    try {
      return await opening(sessionId)
    } catch (error) {
      if (error instanceof StorageError) return failed(error.trouble)
      throw error
    }
  }
  const opening = async (sessionId: SessionId): Promise<Result<OpenedSession, Trouble>> => {
    if (isClosing) return failed(CLOSING)
    const known = opened.get(sessionId)
    if (known) return ok(await known)
    const summary = store.sessions.get(sessionId)
    if (!summary) return failed(NO_SESSION)
    const coming = openOne(summary)
    opened.set(sessionId, coming)
    coming.catch(() => opened.delete(sessionId))
    const session = await coming
    await dropIdle()
    return ok(session)
  }
  return {
    async create(start) {
      try {
        return await open(store.sessions.create(start))
      } catch (error) {
        if (error instanceof StorageError) return failed(error.trouble)
        throw error
      }
    },
    open,
    list: (signal) => watchList(store, signal),
    page: (sessionId, before, limit) => store.ledger.page(sessionId, before, limit),
    async recover() {
      const running = store.leases.running()
      const left = store.sessions
        .list()
        .filter(({ sessionId, run }) => (run === 'PROCESSING' || run === 'AWAITING_INPUT') && !running.has(sessionId))
      const broken: unknown[] = []
      for (const { sessionId } of left) await open(sessionId).catch((error: unknown) => broken.push(error))
      return broken
    },
    close: (sessionId) => drop(sessionId, 'end'),
    async closeAll() {
      isClosing = true
      await tryAllAtOnce([...opened.keys()].map((sessionId) => drop(sessionId, 'suspend')))
    },
  }
}

function isIdle(session: OpenedSession): boolean {
  const { run, queue } = session.record.state()
  return session.watchers() === 0 && (run === 'IDLE' || run === 'CLOSED') && queue.every(({ held }) => held)
}

const NO_SESSION: Trouble = {
  code: 'no_session',
  what: 'There is no such session.',
  kept: 'All others.',
  todo: 'Choose one of the list.',
}

const CLOSING: Trouble = {
  code: 'closing',
  what: 'Countersign is closing.',
  kept: 'Everything that is in the history.',
  todo: 'Start it again.',
}

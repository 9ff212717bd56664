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
  /** With SESSION_END: state CLOSED; its subagents before it. */
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
  /** Until one is closed it has the lease: whoever wants it again waits for that, or two would run it. */
  const closing = new Map<SessionId, Promise<void>>()
  let isClosing = false

  const openOne = async (summary: SessionSummary): Promise<OpenedSession> => {
    const session = await openSession(parts, summary)
    settled.set(summary.sessionId, session)
    return session
  }
  const drop = (sessionId: SessionId, how: 'end' | 'suspend'): Promise<void> => {
    const session = opened.get(sessionId)
    if (!session) return closing.get(sessionId) ?? Promise.resolve()
    const now = settled.get(sessionId)
    opened.delete(sessionId)
    settled.delete(sessionId)
    // At once where it can be, so that nothing more is wished of it.
    const ended = now ? now.close(how) : session.then((one) => one.close(how))
    const done = ended.finally(() => {
      if (closing.get(sessionId) === done) closing.delete(sessionId)
    })
    closing.set(sessionId, done)
    return done
  }
  /** Its subagents end with it, those too that nobody has opened since. */
  const close = async (sessionId: SessionId): Promise<void> => {
    const children = store.sessions.list().filter(({ parent, run }) => parent?.sessionId === sessionId && run !== 'CLOSED')
    if (children.length > 0) await (await opened.get(sessionId))?.stop()
    for (const child of children) {
      await open(child.sessionId)
      await close(child.sessionId)
    }
    await drop(sessionId, 'end')
  }
  const dropIdle = async (): Promise<void> => {
    const idle = [...settled.values()].filter((session) => session.isIdle())
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
    // What goes wrong while it ends is told to whoever closed it.
    for (let end = closing.get(sessionId); end; end = closing.get(sessionId)) await end.catch(() => {})
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
    close,
    async closeAll() {
      isClosing = true
      await tryAllAtOnce([...new Set([...opened.keys(), ...closing.keys()])].map((sessionId) => drop(sessionId, 'suspend')))
    },
  }
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

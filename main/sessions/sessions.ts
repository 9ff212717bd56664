import { isFar } from '../../shared/places/address.ts'
import type { SessionListItem } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { tryAllAtOnce } from '../../shared/lib/try-all.ts'
import type { ConversationPoint } from '../../shared/session/conversation-move.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { NewSession } from '../../shared/session/settings/new-session.ts'
import type { Item } from '../../shared/session/state.ts'
import { findPoint } from '../agent/record/conversation-point.ts'
import { retryWhileLocked } from '../agent/record/retry-while-locked.ts'
import { StorageError } from '../agent/storage-error.ts'
import { type OpenedSession, type OpenedSessionParts, openSession } from './opened-session.ts'
import { NO_POINT } from './go-back.ts'
import { watchSessionList } from './watch-session-list.ts'
import { createOpenSessions } from './open-sessions.ts'

/** All sessions of a store as one process sees them. Many can be open at once, and each is run by one process. */
export interface Sessions {
  /** Creates and opens a session in a folder (a real path). Makes no request before the first message. */
  create(start: NewSession): Promise<Result<OpenedSession, Trouble>>
  /**
   * Creates a new session with a copy of this session's conversation up to `point`. Both sessions work in the same folder, so they share
   * its files.
   */
  fork(sessionId: SessionId, point: ConversationPoint): Promise<Result<OpenedSession, Trouble>>
  /**
   * Returns the same object for the same session until it is closed. Takes the claim, or follows the process that has it. Fails for a
   * damaged session.
   */
  open(sessionId: SessionId): Promise<Result<OpenedSession, Trouble>>
  list(signal: AbortSignal): AsyncIterable<SessionListItem>
  page(sessionId: SessionId, before: number, limit: number): Promise<{ readonly firstItem: number; readonly items: readonly Item[] }>
  /**
   * Call this at the app's start. Takes over sessions whose process died in the middle of a turn (see `recover`), but not sessions of
   * processes that still run. A session that cannot be read does not affect the others; its error is in the result. `where`: sessions in
   * folders of this computer, or of other machines, which may be slow to answer.
   */
  recover(where: 'here' | 'far'): Promise<readonly unknown[]>
  /** Ends the subagents of the session first, and then appends SESSION_END. */
  close(sessionId: SessionId): Promise<void>
  /** Closes a finished session that nobody watches or uses, which ends its shell and programs. It opens again when it is needed. */
  rest(sessionId: SessionId): Promise<void>
  /** Closes the session if this process has it open, so that it can be deleted. */
  discard(sessionId: SessionId): Promise<void>
  /** Stops everything that runs in this process. Requests for signatures wait for the next launch. */
  closeAll(): Promise<void>
}

/**
 * Maximum number of unused sessions that are kept open, so that switching back to them takes no time. Each keeps its conversation in
 * memory.
 */
const MAX_UNUSED = 5

export function createSessions(parts: OpenedSessionParts): Sessions {
  const { store } = parts
  const table = createOpenSessions()
  let isClosing = false

  /** The subagents end with the session, including those that were never opened in this process. */
  const close = async (sessionId: SessionId): Promise<void> => {
    const children = store.sessions.list().filter(({ parent, run }) => parent?.sessionId === sessionId && run !== 'CLOSED')
    if (children.length > 0) await (await table.get(sessionId))?.stop()
    for (const child of children) {
      await open(child.sessionId)
      await close(child.sessionId)
    }
    await table.drop(sessionId, 'end')
  }
  const dropUnused = async (): Promise<void> => {
    const unused = table.unused().slice(0, -MAX_UNUSED)
    await Promise.all(unused.map(({ sessionId }) => table.drop(sessionId, 'suspend')))
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
    await table.closed(sessionId)
    if (isClosing) return failed(CLOSING)
    const known = table.get(sessionId)
    if (known) return ok(await known)
    const summary = store.sessions.get(sessionId)
    if (!summary) return failed(NO_SESSION)
    const session = await table.open(sessionId, () => openSession(parts, summary))
    await dropUnused()
    return ok(session)
  }
  return {
    async fork(sessionId, point) {
      const source = await open(sessionId)
      const forked = source.ok ? await forkOf(source.value, point, store) : source
      return forked.ok ? open(forked.value) : forked
    },
    async create(start) {
      try {
        return await open(await retryWhileLocked(() => store.sessions.create(start)))
      } catch (error) {
        if (error instanceof StorageError) return failed(error.trouble)
        throw error
      }
    },
    open,
    list: (signal) => watchSessionList(store, signal),
    async page(sessionId, before, limit) {
      await store.prepare(sessionId)
      return store.ledger.page(sessionId, before, limit)
    },
    async recover(where) {
      const running = store.claims.running()
      const isThere = (sessionId: SessionId): boolean => isFar(store.sessions.get(sessionId)?.folder ?? '') === (where === 'far')
      const left = (await store.sessions.unfinished()).filter((sessionId) => !running.has(sessionId) && isThere(sessionId))
      const broken: unknown[] = []
      for (const sessionId of left) if (!isClosing) await open(sessionId).catch((error: unknown) => broken.push(error))
      // A failure because the app closes is not a bug.
      return isClosing ? [] : broken
    },
    close,
    async rest(sessionId) {
      if ((await table.get(sessionId))?.isUnused()) await table.drop(sessionId, 'suspend')
    },
    discard: (sessionId) => table.drop(sessionId, 'suspend'),
    async closeAll() {
      isClosing = true
      await tryAllAtOnce(table.ids().map((sessionId) => table.drop(sessionId, 'suspend')))
    },
  }
}

async function forkOf(
  { record }: OpenedSession,
  point: ConversationPoint,
  store: OpenedSessionParts['store'],
): Promise<Result<SessionId, Trouble>> {
  if (record.state().parent !== null) return failed(NO_FORK_OF_AGENT)
  try {
    const move = await findPoint(record, record.sessionId, point)
    return move ? ok(await store.sessions.fork(record.sessionId, move.to)) : failed(NO_POINT)
  } catch (error) {
    if (error instanceof StorageError) return failed(error.trouble)
    throw error
  }
}

const NO_SESSION: Trouble = {
  code: 'no_session',
  what: 'This session does not exist.',
  kept: 'All other sessions are unchanged.',
  todo: 'Choose a session from the list.',
}

const NO_FORK_OF_AGENT: Trouble = {
  code: 'no_fork_of_agent',
  what: 'A subagent’s session cannot be forked.',
  kept: 'The session is unchanged.',
  todo: 'Fork the session that started it.',
}

const CLOSING: Trouble = {
  code: 'closing',
  what: 'Countersign is closing.',
  kept: 'Everything in the history is kept.',
  todo: 'Start Countersign again.',
}

import type { SessionId } from '../../shared/lib/ids.ts'
import type { OpenedSession } from './opened-session.ts'

/** The sessions this process has open: each once, and none reopened before it is closed. */
export interface SessionTable {
  /** The session, if open or being opened. */
  get(sessionId: SessionId): Promise<OpenedSession> | null
  /** Resolves when it is not being closed: until then it holds the claim, which a second opening would share. */
  closed(sessionId: SessionId): Promise<void>
  open(sessionId: SessionId, make: () => Promise<OpenedSession>): Promise<OpenedSession>
  /** Resolves when it is closed; at once if it is not open. */
  drop(sessionId: SessionId, how: 'end' | 'suspend'): Promise<void>
  /** Open, being opened or being closed. */
  ids(): readonly SessionId[]
  /** Open and unused, the one opened last at the end. */
  unused(): readonly OpenedSession[]
}

export function createSessionTable(): SessionTable {
  const opened = new Map<SessionId, Promise<OpenedSession>>()
  const settled = new Map<SessionId, OpenedSession>()
  const closing = new Map<SessionId, Promise<void>>()
  return {
    get: (sessionId) => opened.get(sessionId) ?? null,
    async closed(sessionId) {
      // Its failure goes to the caller that closed it.
      for (let end = closing.get(sessionId); end; end = closing.get(sessionId)) await end.catch(() => {})
    },
    async open(sessionId, make) {
      const coming = make()
      opened.set(sessionId, coming)
      coming.catch(() => opened.delete(sessionId))
      const session = await coming
      settled.set(sessionId, session)
      return session
    },
    drop(sessionId, how) {
      const session = opened.get(sessionId)
      if (!session) return closing.get(sessionId) ?? Promise.resolve()
      const now = settled.get(sessionId)
      opened.delete(sessionId)
      settled.delete(sessionId)
      // At once if possible, so that no more commands reach it.
      const ended = now ? now.close(how) : session.then((one) => one.close(how))
      const done = ended.finally(() => {
        if (closing.get(sessionId) === done) closing.delete(sessionId)
      })
      closing.set(sessionId, done)
      return done
    },
    ids: () => [...new Set([...opened.keys(), ...closing.keys()])],
    unused: () => [...settled.values()].filter((session) => session.isUnused()),
  }
}

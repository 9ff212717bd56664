import type { SessionId } from '../../shared/lib/ids.ts'
import type { OpenedSession } from './opened-session.ts'

/** The sessions that this process has open. Each is open at most once, and none is reopened before it is closed. */
export interface OpenSessions {
  /** The session if it is open or being opened, otherwise null. */
  get(sessionId: SessionId): Promise<OpenedSession> | null
  /**
   * Resolves immediately if the session is not being closed, otherwise when it is closed. Until then the old object has the claim, and a
   * new object for the same session would share the claim.
   */
  closed(sessionId: SessionId): Promise<void>
  open(sessionId: SessionId, make: () => Promise<OpenedSession>): Promise<OpenedSession>
  /** Resolves when the session is closed; immediately if it is not open. */
  drop(sessionId: SessionId, how: 'end' | 'suspend'): Promise<void>
  /** The sessions that are open, being opened or being closed. */
  ids(): readonly SessionId[]
  /** The open sessions that are unused. The session that somebody asked for last comes last. */
  unused(): readonly OpenedSession[]
}

export function createOpenSessions(): OpenSessions {
  const opened = new Map<SessionId, Promise<OpenedSession>>()
  const settled = new Map<SessionId, OpenedSession>()
  const closing = new Map<SessionId, Promise<void>>()
  return {
    get(sessionId) {
      const session = settled.get(sessionId)
      // Somebody may be about to use it, so it is the last one to be closed.
      if (session && settled.delete(sessionId)) settled.set(sessionId, session)
      return opened.get(sessionId) ?? null
    },
    async closed(sessionId) {
      // A failure is ignored here, because it is reported to the caller that closed the session.
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
      // If the session is already open, `close` is called immediately, so that no more commands reach the session.
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

import type { SessionId } from '../../shared/lib/ids.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Store } from '../store/store.ts'

/**
 * `seen_to`: the last event that the user has seen. `dismissed_to`: the event up to which the user has dismissed the notice that the
 * session ended early.
 */
export type MarkName = 'seen_to' | 'dismissed_to'

/**
 * One event number (`cursor`) per session. It is stored with the sessions, so that every window sees the same number, even after a restart.
 */
export interface SessionCursors {
  all(): Readonly<Record<string, number>>
  /**
   * Moves the mark forward, never backward and never beyond the newest event. A mark that cannot be stored is lost when this process ends.
   */
  raise(sessionId: SessionId, cursor: number): void
  readonly onRaised: Emitter<void>['event']
}

export function createSessionCursors(sessions: Pick<Store['sessions'], 'marked' | 'mark' | 'get'>, name: MarkName): SessionCursors {
  const unstored = new Map<string, number>()
  const raised = new Emitter<void>()
  const all = (): Readonly<Record<string, number>> => {
    const stored = [...readable(() => sessions.marked(name), [])].map(([sessionId, value]) => [sessionId, Number(value)] as const)
    return Object.fromEntries([...stored, ...unstored])
  }
  return {
    all,
    raise(sessionId, wanted) {
      const newest = readable(() => sessions.get(sessionId), null)?.cursor
      if (newest === undefined) return
      const before = all()[sessionId]
      const cursor = Math.max(before ?? 0, Math.min(wanted, newest))
      if (cursor === before) return
      try {
        sessions.mark(sessionId, name, String(cursor))
        unstored.delete(sessionId)
      } catch (error) {
        if (!(error instanceof StorageError)) throw error
        unstored.set(sessionId, cursor)
      }
      raised.fire()
    },
    onRaised: raised.event,
  }
}

/** Returns `otherwise` while the store cannot be read. Marks are only a convenience, and the store's health reports the problem. */
function readable<T, O>(read: () => T, otherwise: O): T | O {
  try {
    return read()
  } catch (error) {
    if (error instanceof StorageError) return otherwise
    throw error
  }
}

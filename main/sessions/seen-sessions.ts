import type { SessionId } from '../../shared/lib/ids.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { Clock } from '../agent/ports/clock.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Store } from '../store/store.ts'

/** When the person had each session last before them, in ms since 1970. Kept with the sessions, so that every window and every start knows. */
export interface SeenSessions {
  all(): Readonly<Record<string, number>>
  /** Now it is before them. What cannot be stored counts until the end of this process. */
  see(sessionId: SessionId): void
  readonly onSeen: Emitter<void>['event']
}

const MARKER = 'seen'

export function createSeenSessions(sessions: Pick<Store['sessions'], 'marked' | 'mark' | 'get'>, clock: Pick<Clock, 'now'>): SeenSessions {
  const unstored = new Map<string, number>()
  const seen = new Emitter<void>()
  return {
    all() {
      const stored = [...sessions.marked(MARKER)].map(([sessionId, value]) => [sessionId, Number(value)] as const)
      return Object.fromEntries([...stored, ...unstored])
    },
    see(sessionId) {
      if (sessions.get(sessionId) === null) return
      const at = clock.now()
      try {
        sessions.mark(sessionId, MARKER, String(at))
        unstored.delete(sessionId)
      } catch (error) {
        if (!(error instanceof StorageError)) throw error
        unstored.set(sessionId, at)
      }
      seen.fire()
    },
    onSeen: seen.event,
  }
}

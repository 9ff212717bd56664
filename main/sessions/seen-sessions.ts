import type { SessionId } from '../../shared/lib/ids.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Store } from '../store/store.ts'

/** How far the person has seen each session: its newest event when they had it before them last. Kept with the sessions, so that every window and every start knows. */
export interface SeenSessions {
  all(): Readonly<Record<string, number>>
  /** They have it before them up to the event `upTo`; never less than before. What cannot be stored counts until the end of this process. */
  see(sessionId: SessionId, upTo: number): void
  readonly onSeen: Emitter<void>['event']
}

const MARKER = 'seen_to'

export function createSeenSessions(sessions: Pick<Store['sessions'], 'marked' | 'mark' | 'get'>): SeenSessions {
  const unstored = new Map<string, number>()
  const seen = new Emitter<void>()
  const all = (): Readonly<Record<string, number>> => {
    const stored = [...sessions.marked(MARKER)].map(([sessionId, value]) => [sessionId, Number(value)] as const)
    return Object.fromEntries([...stored, ...unstored])
  }
  return {
    all,
    see(sessionId, upTo) {
      const newest = sessions.get(sessionId)?.cursor
      if (newest === undefined) return
      const before = all()[sessionId]
      const cursor = Math.max(before ?? 0, Math.min(upTo, newest))
      if (cursor === before) return
      try {
        sessions.mark(sessionId, MARKER, String(cursor))
        unstored.delete(sessionId)
      } catch (error) {
        if (!(error instanceof StorageError)) throw error
        unstored.set(sessionId, cursor)
      }
      seen.fire()
    },
    onSeen: seen.event,
  }
}

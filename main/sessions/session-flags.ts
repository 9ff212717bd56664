import { IMPORT_MARKER } from '../../shared/api/transfer.ts'
import type { SessionFlag, SessionFlags } from '../../shared/api/sessions.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Store } from '../store/store.ts'

/**
 * Tells which sessions are pinned, archived, forks or imported. The flags are stored with the sessions, so that every window sees the same
 * flags, even after a restart.
 */
export interface FlaggedSessions {
  all(): SessionFlags
  /** Throws a `StorageError` if the flag cannot be stored. */
  set(sessionId: SessionId, flag: SessionFlag, isOn: boolean): void
  /** Call this when forks or deletions have changed the result of `all`. */
  changed(): void
  readonly onChanged: Emitter<void>['event']
}

const MARKERS: Readonly<Record<SessionFlag, string>> = { pinned: 'pinned', archived: 'archived' }

export function createSessionFlags(sessions: Pick<Store['sessions'], 'marked' | 'mark' | 'forks'>): FlaggedSessions {
  const changed = new Emitter<void>()
  const named = (flag: SessionFlag): readonly SessionId[] => [...sessions.marked(MARKERS[flag]).keys()]
  return {
    all: () => ({
      pinned: named('pinned'),
      archived: named('archived'),
      forks: Object.fromEntries(sessions.forks()),
      imported: Object.fromEntries(sessions.marked(IMPORT_MARKER)) as SessionFlags['imported'],
    }),
    set(sessionId, flag, isOn) {
      sessions.mark(sessionId, MARKERS[flag], isOn ? '1' : null)
      changed.fire()
    },
    changed: () => changed.fire(),
    onChanged: changed.event,
  }
}

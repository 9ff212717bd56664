import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { retryWhileLocked } from '../../agent/record/retry-while-locked.ts'
import { StorageError } from '../../agent/storage-error.ts'
import { beginDeletion } from '../cleaning/delete-sessions.ts'
import type { LifeLock } from '../claims/life-lock.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Connection } from '../database/connection.ts'
import { setDurability } from '../database/durability.ts'
import { FORK_MARKER, type ForkNote } from './fork-session.ts'

/** The marker of a session that is being imported. Its value is the name of the store that imports it. */
const IMPORTING_MARKER = 'importing'

export interface IncompleteSessionsParts {
  readonly db: Connection
  readonly life: Pick<LifeLock, 'holder' | 'isAlive'>
  readonly write: <T>(work: () => T) => T
  readonly read: <T>(work: () => T) => T
  /** Drops what this process remembers of deleted sessions, and notifies the session lists. */
  readonly forget: (sessionIds: readonly SessionId[]) => void
  /** The listener gets null when the store can be written again. */
  readonly onTrouble: (listener: (trouble: Trouble | null) => void) => Disposable
}

/** Records which sessions are incomplete, because copying or importing them has not finished or was interrupted. */
export interface IncompleteSessions {
  /** Forks and imports that were interrupted because their process ended. */
  incomplete(): readonly SessionId[]
  /** Records that these sessions are being imported. If this process dies before `importEnded`, they count as incomplete. */
  importBegins(sessionIds: readonly SessionId[]): void
  /** Records in one transaction that these sessions are complete. */
  importEnded(sessionIds: readonly SessionId[]): void
  /**
   * Removes sessions whose fork or import has failed from the list immediately. Their stored data is deleted at the next measurement of the
   * storage or the next launch. If the removal cannot be written, this process hides the sessions and tries again when the store can be
   * written.
   */
  dropIncomplete(sessionIds: readonly SessionId[]): Promise<void>
  /** Whether this process hides the session, because its removal from the list could not be written yet. */
  isHidden(sessionId: SessionId): boolean
  /** The sources of all forks. The keys are the forks. */
  forks(): ReadonlyMap<SessionId, SessionId>
}

export function createIncompleteSessions({ db, life, write, read, forget, onTrouble }: IncompleteSessionsParts): IncompleteSessions {
  const marked = db.prepare<[string], { session_id: SessionId; value: string }>('SELECT session_id, value FROM markers WHERE name = ?')
  const mark = db.prepare('REPLACE INTO markers (session_id, name, value) VALUES (?, ?, ?)')
  const unmark = db.prepare('DELETE FROM markers WHERE session_id = ? AND name = ?')
  const each = db.transaction((sessionIds: readonly SessionId[], work: (sessionId: SessionId) => unknown) => sessionIds.forEach(work))
  const forks = (): readonly (readonly [SessionId, ForkNote])[] =>
    read(() => marked.all(FORK_MARKER)).map(({ session_id, value }) => [session_id, JSON.parse(value) as ForkNote])
  /** The dropped sessions that are still in the stored list. */
  const hidden = new Set<SessionId>()
  const begin = (): void => {
    write(() => beginDeletion(db, [...hidden]))
    hidden.clear()
  }
  /** Ignores a storage error, because it is already reported as the failure that made the sessions incomplete. */
  const ignoreStorage = (error: unknown): void => {
    if (!(error instanceof StorageError)) throw error
  }
  onTrouble((trouble) => {
    if (trouble !== null || hidden.size === 0) return
    try {
      begin()
    } catch (error) {
      ignoreStorage(error)
    }
  })
  return {
    async dropIncomplete(sessionIds) {
      for (const sessionId of sessionIds) hidden.add(sessionId)
      await retryWhileLocked(begin).catch(ignoreStorage)
      forget(sessionIds)
    },
    isHidden: (sessionId) => hidden.has(sessionId),
    forks: () => new Map(forks().map(([sessionId, { from }]) => [sessionId, from])),
    incomplete() {
      const copying = forks().flatMap(([sessionId, { copiedTo, holder }]) => (copiedTo === null ? [[sessionId, holder] as const] : []))
      const importing = read(() => marked.all(IMPORTING_MARKER)).map(({ session_id, value }) => [session_id, value] as const)
      return [...copying, ...importing].flatMap(([sessionId, holder]) => (life.isAlive(holder) ? [] : [sessionId]))
    },
    importBegins: (sessionIds) =>
      write(() => each.immediate(sessionIds, (sessionId) => mark.run(sessionId, IMPORTING_MARKER, life.holder))),
    importEnded: (sessionIds) =>
      write(() => {
        setDurability(db, null)
        each.immediate(sessionIds, (sessionId) => unmark.run(sessionId, IMPORTING_MARKER))
      }),
  }
}

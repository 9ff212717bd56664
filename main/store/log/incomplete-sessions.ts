import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { retryWhileLocked } from '../../agent/record/retry-while-locked.ts'
import { StorageError } from '../../agent/storage-error.ts'
import { beginDeletion } from '../cleaning/delete-sessions.ts'
import type { LifeLock } from '../claims/life-lock.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Connection } from '../database/connection.ts'
import { FORK_MARKER, type ForkNote } from './fork-session.ts'

/** The marker of a session that is being imported. Its value is an `ImportNote` as JSON. */
const IMPORTING_MARKER = 'importing'

/** The file from which sessions are imported, so that the next launch can finish the import if the process is killed. */
export interface ImportOrigin {
  readonly path: string
  readonly bytes: number
  readonly mtimeMs: number
  /** The version of Countersign that reads the file. Another version might read other events from it. */
  readonly version: string
  /** How many processes have tried to import it. */
  readonly tries: number
}

/** An import that was interrupted because its process ended. */
export interface InterruptedImport {
  readonly origin: ImportOrigin
  /** In the order in which they are imported. The first is the user's session. */
  readonly sessionIds: readonly SessionId[]
}

interface ImportNote {
  /** The name of the store that imports the session. */
  readonly holder: string
  readonly root: SessionId
  readonly place: number
  readonly origin: ImportOrigin | null
}

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
  /**
   * Records that these sessions are being imported, the user's session first. If this process dies before `importEnded`, they count as
   * incomplete. `origin`: the file from which the import can then be finished; null if it cannot.
   */
  importBegins(sessionIds: readonly SessionId[], origin: ImportOrigin | null): void
  /** Imports from files that were interrupted because their process ended. */
  interruptedImports(): readonly InterruptedImport[]
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
  const imports = (): readonly (ImportNote & { readonly sessionId: SessionId })[] =>
    read(() => marked.all(IMPORTING_MARKER)).map(({ session_id, value }) => ({ sessionId: session_id, ...noteIn(value, session_id) }))
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
      const importing = imports().map(({ sessionId, holder }) => [sessionId, holder] as const)
      return [...copying, ...importing].flatMap(([sessionId, holder]) => (life.isAlive(holder) ? [] : [sessionId]))
    },
    importBegins: (sessionIds, origin) =>
      write(() => {
        const [root] = sessionIds
        let place = 0
        each.immediate(sessionIds, (sessionId) =>
          mark.run(sessionId, IMPORTING_MARKER, JSON.stringify({ holder: life.holder, root, place: place++, origin })),
        )
      }),
    interruptedImports() {
      const dead = imports()
        .filter(({ holder }) => !life.isAlive(holder))
        .toSorted((a, b) => a.place - b.place)
      return [...Map.groupBy(dead, ({ root }) => root).values()].flatMap((notes) => {
        const origin = notes[0]?.origin ?? null
        return origin === null ? [] : [{ origin, sessionIds: notes.map(({ sessionId }) => sessionId) }]
      })
    },
    importEnded: (sessionIds) => write(() => each.immediate(sessionIds, (sessionId) => unmark.run(sessionId, IMPORTING_MARKER))),
  }
}

/** Earlier versions stored only the holder. */
const noteIn = (value: string, sessionId: SessionId): ImportNote =>
  value.startsWith('{') ? (JSON.parse(value) as ImportNote) : { holder: value, root: sessionId, place: 0, origin: null }

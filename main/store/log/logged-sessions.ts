import type { SessionId } from '../../../shared/lib/ids.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'
import { DELETING_MARKER } from '../cleaning/delete-sessions.ts'
import type { Connection } from '../database/connection.ts'

/** The sessions that have events, according to the log itself. The first use reads all sessions, and later uses read only new ones. */
export interface LoggedSessions {
  /** Slow the first time, unless the sessions have been checked or counted in slices before. */
  count(): number
  /** Prepares the next `count` in slices of a few milliseconds. */
  countInSlices(): Promise<void>
  /** Forgets these sessions, which were deleted. */
  forget(sessionIds: readonly SessionId[]): void
  /**
   * Calls `onStale` for each session whose row in `sessions` is missing or does not match its newest event. Works in slices of a few
   * milliseconds, so other work runs in between.
   */
  checkInSlices(onStale: (sessionId: SessionId) => void): Promise<void>
  /** Makes the same check as `checkInSlices` in one step. */
  check(onStale: (sessionId: SessionId) => void): void
}

export function createLoggedSessions(db: Connection): LoggedSessions {
  const newest = db.prepare<[], number | null>('SELECT max(seq) FROM events').pluck()
  const next = db.prepare<[string], SessionId | null>('SELECT min(session_id) FROM events WHERE session_id > ?').pluck()
  const isBeingDeleted = db
    .prepare<[SessionId], number>(`SELECT 1 FROM markers WHERE session_id = ? AND name = '${DELETING_MARKER}'`)
    .pluck()
  const since = db.prepare<[number], SessionId>('SELECT DISTINCT session_id FROM events WHERE seq > ?').pluck()
  const isCurrent = db
    .prepare<[SessionId, SessionId], number>(
      `SELECT cursor IS (SELECT max(seq) FROM events WHERE session_id = ?) FROM sessions WHERE session_id = ?`,
    )
    .pluck()
  const known = new Set<SessionId>()
  let upTo: number | null = null

  /** Checks one session per step of the generator. */
  function* all(onStale: (sessionId: SessionId) => void): Generator<void> {
    const before = newest.get() ?? 0
    for (let id = next.get(''); id; id = next.get(id)) {
      // Rebuilding its row would put the session back into the list.
      if (isBeingDeleted.get(id) === 1) continue
      known.add(id)
      if (isCurrent.get(id, id) !== 1) onStale(id)
      yield
    }
    upTo ??= before
  }
  const check = (onStale: (sessionId: SessionId) => void): void => {
    for (const _ of all(onStale));
  }
  let checking: Promise<void> | null = null
  const checkInSlices = async (onStale: (sessionId: SessionId) => void): Promise<void> => {
    const slice = createSlices()
    for (const _ of all(onStale)) await slice()
  }
  return {
    check,
    checkInSlices: (onStale) => (checking = checkInSlices(onStale).finally(() => (checking = null))),
    async countInSlices() {
      if (upTo === null) await (checking ?? checkInSlices(() => {}))
    },
    forget(sessionIds) {
      for (const sessionId of sessionIds) known.delete(sessionId)
    },
    count() {
      if (upTo === null) check(() => {})
      const to = newest.get() ?? 0
      if (to > (upTo ?? 0)) for (const id of since.all(upTo ?? 0)) if (isBeingDeleted.get(id) !== 1) known.add(id)
      upTo = to
      return known.size
    },
  }
}

import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Connection } from '../database/connection.ts'
import type { LifeLock } from './life-lock.ts'

/** The process that runs a session. `here` is true if the session runs through this process's store. Times are in ms since 1970. */
interface ClaimHolder {
  readonly pid: number
  readonly processStartedAt: number
  readonly acquiredAt: number
  readonly here: boolean
}

/**
 * Only one process at a time runs a session, and all others follow it. A claim ends with `release`, with `close`, or with its process.
 */
export interface Claims {
  /**
   * Acquires the claim if no live process has it. Uses one transaction, so that only one of several competing processes succeeds. Also
   * succeeds if this process already has the claim. Throws a `StorageError` if the store cannot be written.
   */
  acquire(sessionId: SessionId): Result<ClaimHolder, Trouble>
  release(sessionId: SessionId): void
  /** Releases all claims that this process acquired through the store. */
  releaseAll(): void
  /** Null if no live process has the claim. */
  holder(sessionId: SessionId): ClaimHolder | null
  /** Sessions that a live process currently runs. */
  running(): ReadonlySet<SessionId>
  /** Sessions whose claim is stored under the name of this holder, whether its process is alive or dead. */
  heldBy(holder: string): ReadonlySet<SessionId>
}

interface ClaimRow {
  readonly session_id: SessionId
  readonly holder: string
  readonly pid: number
  readonly process_started_at: number
  readonly acquired_at: number
}

export interface ClaimParts {
  readonly db: Connection
  readonly life: Pick<LifeLock, 'holder' | 'isAlive'>
  readonly clock: Pick<Clock, 'now'>
  readonly write: <T>(work: () => T) => T
  readonly read: <T>(work: () => T) => T
  /** Called after a claim was acquired or released. */
  readonly changed: (sessionId: SessionId) => void
}

/** On disk (the table and the folder of life locks), claims have been called leases since the first version. */
export function createClaims({ db, life, clock, write, read, changed }: ClaimParts): Claims {
  const select = db.prepare<[SessionId], ClaimRow>('SELECT * FROM leases WHERE session_id = ?')
  const all = db.prepare<[], ClaimRow>('SELECT * FROM leases')
  const put = db.prepare('REPLACE INTO leases (session_id, holder, pid, process_started_at, acquired_at) VALUES (?, ?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM leases WHERE session_id = ? AND holder = ?')
  const removeAll = db.prepare('DELETE FROM leases WHERE holder = ?')
  const processStartedAt = Math.round(Date.now() - process.uptime() * 1000)
  const describe = (row: ClaimRow): ClaimHolder => ({
    pid: row.pid,
    processStartedAt: row.process_started_at,
    acquiredAt: row.acquired_at,
    here: row.holder === life.holder,
  })
  const take = db.transaction((sessionId: SessionId): { readonly row: ClaimRow; readonly isNew: boolean } => {
    const row = select.get(sessionId)
    if (row && life.isAlive(row.holder)) return { row, isNew: false }
    const now = clock.now()
    put.run(sessionId, life.holder, process.pid, processStartedAt, now)
    const own = { session_id: sessionId, holder: life.holder, pid: process.pid, process_started_at: processStartedAt, acquired_at: now }
    return { row: own, isNew: true }
  })

  return {
    acquire(sessionId) {
      const { row, isNew } = write(() => take.immediate(sessionId))
      if (isNew) changed(sessionId)
      return row.holder === life.holder ? ok(describe(row)) : failed(heldElsewhere(row))
    },
    release(sessionId) {
      if (write(() => remove.run(sessionId, life.holder)).changes > 0) changed(sessionId)
    },
    releaseAll: () => void write(() => removeAll.run(life.holder)),
    holder: (sessionId) =>
      read(() => {
        const row = select.get(sessionId)
        return row && life.isAlive(row.holder) ? describe(row) : null
      }),
    heldBy: (holder) => read(() => new Set(all.all().flatMap((row) => (row.holder === holder ? [row.session_id] : [])))),
    running: () =>
      read(() => {
        const rows = all.all()
        const alive = new Set([...new Set(rows.map(({ holder }) => holder))].filter((holder) => life.isAlive(holder)))
        return new Set(rows.filter(({ holder }) => alive.has(holder)).map(({ session_id }) => session_id))
      }),
  }
}

function heldElsewhere({ pid }: ClaimRow): Trouble {
  return {
    code: 'session_held',
    what: `Another Countersign process (${pid}) is running this session.`,
    kept: 'The session is unchanged. You can watch it here, and sign requests that wait for a signature.',
    todo: 'Continue in that process, or close the session there first.',
  }
}

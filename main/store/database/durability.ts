import type { DurableEvent } from '../../../shared/session/events.ts'
import type { Connection } from './connection.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'

/**
 * Events are synced to disk before they are acknowledged (FULL, 0.16 ms), so that they survive a power cut. Events that the user does not
 * see and that precede no effect only survive the end of the process (NORMAL, 0.02 ms). They are synced together with the next event.
 */
export function setDurability(db: Connection, batch: readonly DurableEvent[] | null): void {
  set(db, batch?.every(mayWait) ? NORMAL : FULL)
}

/**
 * For writes that are not events and that are worthless or unimportant after a power cut, such as claims. They survive the end of the
 * process, and are synced together with the next event.
 */
export function mayReachDiskLater(db: Connection): void {
  set(db, NORMAL)
}

const NORMAL = 1
const FULL = 2

/** The level that was set last. Reading it from the connection would take 0.05 ms for every write. */
const levels = new WeakMap<Connection, number>()

function set(db: Connection, wanted: typeof NORMAL | typeof FULL): void {
  // SQLite cannot change the level during a transaction.
  if (levels.get(db) === wanted || db.inTransaction) return
  db.pragma(`synchronous = ${wanted}`)
  levels.set(db, wanted)
}

function mayWait(event: DurableEvent): boolean {
  switch (event.kind) {
    case 'SESSION_START':
    case 'REQUEST_CONTEXT':
    case 'TOOL_CALL_START':
    case 'CONTEXT_WARNING':
    case 'LOOP_DETECTION':
      return true
    case 'TOOL_EXECUTION_START':
      return event.effects.length === 0
    default:
      return false
  }
}

/** Time in ms without a write after which the journal is moved into the file. A running turn writes more often. */
const QUIET_MS = 500

export interface IdleCheckpoint extends Disposable {
  wrote(): void
}

/** Makes checkpoints while nothing is written. SQLite would make them during a commit, which would then take some milliseconds longer. */
export function createIdleCheckpoint(db: Connection): IdleCheckpoint {
  const timer = setTimeout(() => {
    try {
      db.pragma('wal_checkpoint(PASSIVE)')
    } catch {
      // The journal keeps everything until a checkpoint succeeds. If the failure is permanent, the next write reports it.
    }
  }, QUIET_MS)
  timer.unref()
  return {
    wrote: () => void timer.refresh(),
    dispose: () => clearTimeout(timer),
  }
}

import type { DurableEvent } from '../../../shared/session/events.ts'
import type { Connection } from './connection.ts'

/**
 * Everything is brought to disk before it is acknowledged (FULL, 0.16 ms), so that it outlives a power cut too, but for events that
 * neither tell a person anything nor come before an effect: they outlive the process (NORMAL, 0.02 ms) and are brought to disk by the next one.
 */
export function setDurability(db: Connection, batch: readonly DurableEvent[] | null): void {
  set(db, batch?.every(mayWait) ? NORMAL : FULL)
}

/**
 * For what is no event and is worth nothing after a power cut, such as a claim, or is only a convenience: it outlives the process, and is
 * brought to disk by the next event that is.
 */
export function mayReachDiskLater(db: Connection): void {
  set(db, NORMAL)
}

const NORMAL = 1
const FULL = 2

/** As it was set last: asking the connection would cost a statement at every write, 0.05 ms. */
const levels = new WeakMap<Connection, number>()

function set(db: Connection, wanted: typeof NORMAL | typeof FULL): void {
  // SQLite does not change it in the middle of a transaction.
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

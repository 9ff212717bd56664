import type { DurableEvent } from '../../shared/session/events.ts'
import type { Connection } from './database.ts'

/**
 * Everything is brought to disk before it is acknowledged (FULL, 0.16 ms), so that it outlives a power cut too, but for events that
 * neither tell a person anything nor come before an effect: they outlive the process (NORMAL, 0.02 ms) and are brought to disk by the next one.
 */
export function setDurability(db: Connection, batch: readonly DurableEvent[] | null): void {
  const wanted = batch?.every(mayWait) ? 1 : 2
  if (db.pragma('synchronous', { simple: true }) !== wanted) db.pragma(`synchronous = ${wanted}`)
}

function mayWait(event: DurableEvent): boolean {
  switch (event.kind) {
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

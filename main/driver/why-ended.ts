import { limitTrouble } from '../../shared/session/limit-trouble.ts'
import type { SessionEvent, Trouble } from '../../shared/session/events.ts'
import type { SessionState } from '../../shared/session/state.ts'

export type WhyEnded = Pick<Trouble, 'code' | 'what'>

/**
 * Why the last turn did not finish, as a code and a sentence; null: it did, or there was no turn. The code is that of the turn's error or
 * the reason of its TURN_LIMIT; `timed_out`: the run exceeded its own time limit; `stopped`: the driver was ended.
 */
export function whyEnded(ended: SessionState['ended'], events: readonly SessionEvent[], isTimeOver: boolean): WhyEnded | null {
  if (ended === null || ended === 'completed') return null
  const last = events.slice(turnStart(events)).findLast((event) => event.kind === 'ERROR' || event.kind === 'TURN_LIMIT')
  if (last?.kind === 'ERROR') return { code: last.error.code, what: last.error.what }
  if (last?.kind === 'TURN_LIMIT') return { code: last.reason, what: limitTrouble(last).what }
  if (isTimeOver) return { code: 'timed_out', what: 'The run exceeded its time limit, and the session was stopped.' }
  return ended === 'stopped' ? { code: 'stopped', what: 'The session was stopped.' } : { code: ended, what: 'The turn did not finish.' }
}

/** Index of the first event after the previous turn. */
function turnStart(events: readonly SessionEvent[]): number {
  const ends = events.flatMap(({ kind }, at) => (kind === 'PROCESSING_END' ? [at] : []))
  return (ends.at(-2) ?? -1) + 1
}

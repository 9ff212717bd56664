import { assertNever } from '../../lib/assert-never.ts'
import type { SessionState } from '../state.ts'

/** Shown for a turn that ended with a question. */
export const ASKED_A_QUESTION = 'Asked you a question'

/** What a session needs from its person because of how its last turn ended; null: nothing. */
export function needAfterTurn(ended: SessionState['ended']): string | null {
  switch (ended) {
    case 'error':
      return 'Ended early, nothing lost'
    case 'interrupted':
      return 'Interrupted'
    case 'limit':
      return 'At its limit'
    case 'completed':
    case 'stopped':
    case null:
      return null
    default:
      return assertNever(ended)
  }
}

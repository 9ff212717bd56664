import type { CallOutcome } from '../../../shared/session/events.ts'

/** Why a turn is ended from outside: the person stops it, or the app or the session closes while it runs. */
export class TurnStopped extends Error {
  readonly why: 'stopped' | 'closed'

  constructor(why: 'stopped' | 'closed') {
    super(why === 'stopped' ? 'The turn was stopped.' : 'The session was closed.')
    this.name = 'TurnStopped'
    this.why = why
  }
}

/** How a call that was cut short ends, and what the model is told of it. */
export function stopOf(signal: AbortSignal): { readonly outcome: CallOutcome; readonly words: string } {
  const closed = signal.reason instanceof TurnStopped && signal.reason.why === 'closed'
  if (closed) return { outcome: 'interrupted', words: 'Interrupted: Countersign was closed while this ran, and it was ended.' }
  return { outcome: 'stopped', words: 'Cancelled by the user.' }
}

import type { SessionState } from '../../../shared/session/state.ts'

/** `countedBy`: see the event `TURN_LIMIT`. */
export type Overspent = {
  readonly reason: 'tokens' | 'cost' | 'time' | 'turn_tokens' | 'turn_cost'
  readonly limit: number
  readonly countedBy?: 'proxy' | 'agent'
}

/** How much a session may spend. Checked before each request, never after an answer. */
export interface Budget {
  /** Returns which limit has been reached. Null if the next request may be made. `unloggedTokens`: spent tokens that are not in the log yet. */
  overspent(own: Pick<SessionState, 'usage' | 'costUsd'>, unloggedTokens?: number): Overspent | null
}

import type { SessionState } from '../../../shared/session/state.ts'

export type Overspent = { readonly reason: 'tokens' | 'cost' | 'time' | 'turn_tokens' | 'turn_cost'; readonly limit: number }

/** How much a session may spend. Checked before each request, never after an answer. */
export interface Budget {
  /** Returns which limit has been reached. Null if the next request may be made. */
  overspent(own: Pick<SessionState, 'usage' | 'costUsd'>): Overspent | null
}

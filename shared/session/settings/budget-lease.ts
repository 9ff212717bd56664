/** The budget of a subagent, checked before each of its requests. A member is null if the subagent has no such limit of its own. */
export interface Lease {
  readonly tokens: number | null
  readonly costUsd: number | null
  readonly minutes: number | null
  /** Maximum number of answers. */
  readonly turns: number | null
}

/** The budget of one turn, including its subagents. A member is null if there is no such limit. */
export type TurnLease = Pick<Lease, 'tokens' | 'costUsd'>

/** A budget without limits. */
export const NO_LEASE: Lease = { tokens: null, costUsd: null, minutes: null, turns: null }

import type { Lease } from './events.ts'

/** Nothing is limited. */
export const NO_LEASE: Lease = { tokens: null, costUsd: null, minutes: null, turns: null }

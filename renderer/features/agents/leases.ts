import type { SpentSummary } from '../../../shared/api/sessions.ts'
import type { Lease } from '../../../shared/session/events.ts'

/** What can be lent: a column of the tree. */
export type Lent = 'tokens' | 'turns' | 'money' | 'time'

/** So much of it is used, of so much that was lent; null: without a limit. Time in ms, money in US dollars. */
export interface Share {
  readonly used: number
  readonly limit: number | null
}

/** `ms`: for how long it has been at work. */
export function sharesOf(lease: Lease, { tokens, costUsd, answers }: SpentSummary, ms: number): Readonly<Record<Lent, Share>> {
  return {
    tokens: { used: tokens, limit: lease.tokens },
    turns: { used: answers, limit: lease.turns },
    money: { used: costUsd ?? 0, limit: lease.costUsd },
    time: { used: ms, limit: lease.minutes === null ? null : lease.minutes * 60_000 },
  }
}

/** Tokens and turns always; money and time where they were lent, since nobody asks for them otherwise. */
export function columnsOf(leases: readonly Lease[]): readonly Lent[] {
  return [
    'tokens',
    'turns',
    ...(leases.some(({ costUsd }) => costUsd !== null) ? (['money'] as const) : []),
    ...(leases.some(({ minutes }) => minutes !== null) ? (['time'] as const) : []),
  ]
}

/** What is left of a limit; never less than nothing: the last answer may have cost more. */
export const leftOf = (used: number, limit: number): number => Math.max(0, limit - used)

import type { ReactNode } from 'react'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { shortCount } from '../../../shared/lib/short-count.ts'
import { counting, money, percent } from '../../ui/format.ts'
import styles from './agents.module.css'
import type { SpentSummary } from '../../../shared/api/sessions.ts'
import type { Lease } from '../../../shared/session/settings/budget-lease.ts'

export interface BudgetCellProps {
  readonly what: BudgetKind
  readonly share: Share
  /** Whether the agent has ended. If so, only the used amount is shown. */
  readonly over: boolean
}

/** The remaining budget with a shrinking bar, or the used amount when there is no limit. */
export function BudgetCell({ what, share: { used, limit }, over }: BudgetCellProps): ReactNode {
  // The age of a session is useful only if there is a time limit.
  const isWorthIt = used > 0 && (limit !== null || what !== 'time')
  if (limit === null || over) return <span className={styles.used}>{isWorthIt ? `${shown(what, used)} used` : ''}</span>
  const left = leftOf(used, limit)
  return (
    <span
      className={styles.lease}
      role="meter"
      aria-label={`${NAMES[what]} left`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round((left / limit) * 100)}
      data-tip={`${shown(what, left)} of ${shown(what, limit)} left`}
      aria-valuetext={`${shown(what, left)} of ${shown(what, limit)}, ${percent(left / limit)}`}
    >
      <span className={styles.leftOf}>{shown(what, left)} left</span>
      <span className={styles.burn}>
        <span style={{ inlineSize: `${(left / limit) * 100}%` }} />
      </span>
    </span>
  )
}

export const NAMES: Readonly<Record<BudgetKind, string>> = { tokens: 'Tokens', turns: 'Turns', money: 'Money', time: 'Time' }

function shown(what: BudgetKind, amount: number): string {
  switch (what) {
    case 'tokens':
      return shortCount(amount)
    case 'turns':
      return String(amount)
    case 'money':
      return money(amount)
    case 'time':
      return counting(amount)
    default:
      return assertNever(what, 'lease')
  }
}

/** A kind of budget. Each kind is a column of the tree. */
export type BudgetKind = 'tokens' | 'turns' | 'money' | 'time'

/** The used amount and the limit (null if there is none), in ms, US dollars, tokens or turns. */
interface Share {
  readonly used: number
  readonly limit: number | null
}

/** Returns the used amount and the limit of each kind of budget. `ms` is the time that the agent has been working. */
export function sharesOf(lease: Lease, { tokens, costUsd, answers }: SpentSummary, ms: number): Readonly<Record<BudgetKind, Share>> {
  return {
    tokens: { used: tokens, limit: lease.tokens },
    turns: { used: answers, limit: lease.turns },
    money: { used: costUsd ?? 0, limit: lease.costUsd },
    time: { used: ms, limit: lease.minutes === null ? null : lease.minutes * 60_000 },
  }
}

/** The columns to show: always tokens and turns, and money and time only if some agent has such a limit. */
export function columnsOf(leases: readonly Lease[]): readonly BudgetKind[] {
  return [
    'tokens',
    'turns',
    ...(leases.some(({ costUsd }) => costUsd !== null) ? (['money'] as const) : []),
    ...(leases.some(({ minutes }) => minutes !== null) ? (['time'] as const) : []),
  ]
}

/** What is left of a limit. Never below 0, although the last answer may exceed the limit. */
export const leftOf = (used: number, limit: number): number => Math.max(0, limit - used)

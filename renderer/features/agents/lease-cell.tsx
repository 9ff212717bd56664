import type { ReactNode } from 'react'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { shortCount } from '../../../shared/lib/short-count.ts'
import { counting, money, percent } from '../../ui/format.ts'
import styles from './agents.module.css'
import { leftOf, type Lent, type Share } from './leases.ts'

export interface LeaseCellProps {
  readonly what: Lent
  readonly share: Share
  /** It is over: what it used stands alone. */
  readonly over: boolean
}

/** What is left of a budget, and of how much, over a bar that shrinks; without a limit, what was used. */
export function LeaseCell({ what, share: { used, limit }, over }: LeaseCellProps): ReactNode {
  // how long a session without a limit has been there says nothing
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

export const NAMES: Readonly<Record<Lent, string>> = { tokens: 'Tokens', turns: 'Turns', money: 'Money', time: 'Time' }

function shown(what: Lent, amount: number): string {
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

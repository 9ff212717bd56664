import type { ReactNode, Ref } from 'react'
import { classNames } from '../class-names.ts'
import styles from './ledger.module.css'
import axisStyles from './axis.module.css'

export interface LedgerProps {
  /** The accessible name: "Ledger of March invoices". */
  readonly label: string
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLOListElement> | undefined
  /** The `EntryRow`s, alone or in boxes. */
  readonly children: ReactNode
}

/** The ledger: an ordered list of entries on a thin spine. */
export function Ledger({ label, className, ref, children }: LedgerProps): ReactNode {
  return (
    // The role is explicit, because some entries are in boxes inside the list.
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles
    <ol ref={ref} role="list" className={classNames(styles.ledger, className)} aria-label={label}>
      {children}
      <li className={styles.tail} aria-hidden="true" />
    </ol>
  )
}

/** Class with the columns of the axis. `tight` is for a ledger inside another pane. The class sets `--pad`, `--axis` and `--body`. */
export function axisClass(tight = false): string {
  return classNames(axisStyles.axis, tight && axisStyles.tight)
}

interface AxisProps {
  readonly tight?: boolean | undefined
  readonly children: ReactNode
}

/** Sets the axis for its content, for use outside the work pane. */
export function Axis({ tight = false, children }: AxisProps): ReactNode {
  return <div className={axisClass(tight)}>{children}</div>
}

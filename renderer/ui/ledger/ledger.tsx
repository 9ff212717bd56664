import type { ReactNode, Ref } from 'react'
import { classNames } from '../class-names.ts'
import styles from './ledger.module.css'
import axisStyles from './axis.module.css'

export interface LedgerProps {
  /** Named for screen readers: "Ledger of March invoices". */
  readonly label: string
  /** `open`: the spine runs on dashed where nothing is written yet. */
  readonly tail?: 'open' | 'none' | undefined
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLOListElement> | undefined
  /** `EntryRow`s. */
  readonly children: ReactNode
}

/** The thin spine and what hangs on it: an ordered list. */
export function Ledger({ label, tail = 'open', className, ref, children }: LedgerProps): ReactNode {
  return (
    <ol ref={ref} className={classNames(styles.ledger, className)} aria-label={label}>
      {children}
      {tail === 'open' && <li className={styles.tail} aria-hidden="true" />}
    </ol>
  )
}

/** Class that sets the axis columns; `tight` for a ledger inside another pane. Custom properties: `--pad`, `--axis`, `--body`. */
export function axisClass(tight = false): string {
  return classNames(axisStyles.axis, tight && axisStyles.tight)
}

interface AxisProps {
  readonly tight?: boolean | undefined
  readonly children: ReactNode
}

/** Sets the axis for what lies in it, where there is no work pane to do so. */
export function Axis({ tight = false, children }: AxisProps): ReactNode {
  return <div className={axisClass(tight)}>{children}</div>
}

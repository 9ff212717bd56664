import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './status-strip.module.css'

export interface StatusStripProps {
  /** The `StatusItem`s at the left. */
  readonly start: ReactNode
  /** The `StatusItem`s at the right. */
  readonly end?: ReactNode
}

/** The status strip, 24 px high. */
export function StatusStrip({ start, end }: StatusStripProps): ReactNode {
  return (
    <footer className={styles.strip}>
      {start}
      <span className={styles.gap} />
      {end}
    </footer>
  )
}

export interface StatusItemProps {
  /** `needs` is amber and only for what waits for the user. */
  readonly tone?: 'plain' | 'needs' | 'failed' | undefined
  /** Whether the item is hidden when there is little room. */
  readonly optional?: boolean | undefined
  readonly children: ReactNode
}

/** One item of the strip. Its digits have a fixed width, so that nothing shifts. */
export function StatusItem({ tone = 'plain', optional = false, children }: StatusItemProps): ReactNode {
  return <span className={classNames(styles.item, styles[tone], optional && styles.optional)}>{children}</span>
}

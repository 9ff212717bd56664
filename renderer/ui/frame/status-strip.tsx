import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './status-strip.module.css'

export interface StatusStripProps {
  /** `StatusItem`s from the left. */
  readonly start: ReactNode
  /** `StatusItem`s flush right. */
  readonly end?: ReactNode
}

/** 24 px along the bottom: what guards, what waits, what it has cost. */
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
  /** `needs` in amber, only for what waits for the person. */
  readonly tone?: 'plain' | 'needs' | 'failed' | undefined
  /** Leaves when there is little room. */
  readonly optional?: boolean | undefined
  readonly children: ReactNode
}

/** One fact of the strip; figures in it do not shift what follows. */
export function StatusItem({ tone = 'plain', optional = false, children }: StatusItemProps): ReactNode {
  return <span className={classNames(styles.item, styles[tone], optional && styles.optional)}>{children}</span>
}

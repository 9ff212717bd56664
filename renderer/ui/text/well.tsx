import type { ReactNode } from 'react'
import styles from './well.module.css'
import { foreign } from './exact-text.tsx'

export interface WellProps {
  /** Output as it came: wrapped, never cut within a line. Give `children` instead for a list. */
  readonly text?: ReactNode
  readonly children?: ReactNode
  /** What is left out, and ways to it: words first, then small quiet buttons. */
  readonly foot?: ReactNode
  readonly label?: string | undefined
}

/** Output under a line: the one level of box inside a pane. */
export function Well({ text, children, foot, label }: WellProps): ReactNode {
  return (
    <div className={styles.well} role={label === undefined ? undefined : 'group'} aria-label={label}>
      {text !== undefined && <pre className={styles.text}>{foreign(text)}</pre>}
      {children}
      {foot !== undefined && <div className={styles.foot}>{foot}</div>}
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from './well.module.css'
import { foreign } from './exact-text.tsx'
import quoteStyles from './quote.module.css'

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

/** The person's own words to the agent: a note of refusal, a condition. The ink line says whose they are. */
export function Quote({ children }: { readonly children: ReactNode }): ReactNode {
  return <blockquote className={quoteStyles.quote}>{foreign(children)}</blockquote>
}

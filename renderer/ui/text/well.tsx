import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './well.module.css'
import { foreign } from './exact-text.tsx'
import quoteStyles from './quote.module.css'

export interface WellProps {
  /** Output as text. It wraps and is never cut within a line. Use `children` for a list. */
  readonly text?: ReactNode
  readonly children?: ReactNode
  /** A description of what is left out, and small buttons to show it. */
  readonly foot?: ReactNode
  readonly label?: string | undefined
  /** Whether a long text scrolls inside the box. The box can then get the focus, so that keys can scroll it. */
  readonly scrolls?: boolean | undefined
}

/** Output below a line, in a box. */
export function Well({ text, children, foot, label, scrolls = false }: WellProps): ReactNode {
  return (
    <div className={styles.well} role={label === undefined ? undefined : 'group'} aria-label={label}>
      {text !== undefined && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
        <pre className={classNames(styles.text, scrolls && styles.scrolls)} tabIndex={scrolls ? 0 : undefined}>
          {foreign(text)}
        </pre>
      )}
      {children}
      {foot !== undefined && <div className={styles.foot}>{foot}</div>}
    </div>
  )
}

/** The user's words to the agent, such as a refusal note, with a line in the ink color. */
export function Quote({ children }: { readonly children: ReactNode }): ReactNode {
  return <blockquote className={quoteStyles.quote}>{foreign(children)}</blockquote>
}

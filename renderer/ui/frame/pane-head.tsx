import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './pane-head.module.css'
import { foreign } from '../text/exact-text.tsx'

export interface PaneHeadProps {
  /** Before the title: a way back. */
  readonly lead?: ReactNode
  readonly title?: ReactNode
  /** 1 for what the whole window is about, once. */
  readonly rank?: 1 | 2 | undefined
  /** After the title: words, a branch. Leaves first when there is no room. */
  readonly aside?: ReactNode
  /** Flush right: selects, buttons. */
  readonly end?: ReactNode
  /** `head` 40 px at the top of a pane, `bar` 36 px below it. */
  readonly level?: 'head' | 'bar' | undefined
  /** True where the system draws its window buttons over it (macOS) and the window can be dragged by it. */
  readonly titleBar?: boolean | undefined
  /** Instead of title and aside: tabs, a field. */
  readonly children?: ReactNode
}

/** The head of a pane or the bar below it. */
export function PaneHead({ lead, title, rank = 2, aside, end, level = 'head', titleBar = false, children }: PaneHeadProps): ReactNode {
  const Heading = rank === 1 ? 'h1' : 'h2'
  return (
    <header className={classNames(styles.head, level === 'bar' && styles.bar, titleBar && styles.titleBar)}>
      {lead}
      {title !== undefined && <Heading className={styles.title}>{foreign(title)}</Heading>}
      {aside !== undefined && <span className={styles.aside}>{aside}</span>}
      {children}
      {end !== undefined && <div className={styles.end}>{end}</div>}
    </header>
  )
}

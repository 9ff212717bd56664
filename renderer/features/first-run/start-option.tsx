import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Mark } from '../../ui/marks/mark.tsx'
import styles from './first-run.module.css'

export interface StartOptionProps {
  readonly title: ReactNode
  readonly words: string
  /** Whether this option is recommended for new users. */
  readonly isPreferred?: boolean
  readonly action: ReactNode
  readonly children?: ReactNode
}

/** One way to start. */
export function StartOption({ title, words, isPreferred = false, action, children }: StartOptionProps): ReactNode {
  return (
    <li className={classNames(styles.way, isPreferred && styles.preferred)}>
      <Mark kind="read" silent className={styles.tick} />
      <div className={styles.words}>
        <h2 className={styles.title}>{title}</h2>
        <p className="soft">{words}</p>
        {children}
      </div>
      <div className={styles.action} data-page-focus={isPreferred || undefined}>
        {action}
      </div>
    </li>
  )
}

import type { ReactNode } from 'react'
import styles from './many.module.css'

interface ListHeadProps {
  readonly title: string
  readonly about: string
  /** Line counts and buttons at the right. */
  readonly children: ReactNode
}

/** The heading above the files of one kind of change. */
export function ListHead({ title, about, children }: ListHeadProps): ReactNode {
  return (
    <div className={styles.head}>
      <h3 className={styles.title}>{title}</h3>
      <span className="dim">{about}</span>
      <span className={styles.end}>{children}</span>
    </div>
  )
}

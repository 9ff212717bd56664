import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

export interface EmptyStateProps {
  /** What will be there and how to make it so: "No sessions yet. The first one appears here when you open a folder." */
  readonly children: ReactNode
  /** The way to make it so. */
  readonly action?: ReactNode
}

/** A place with nothing in it yet. Paper, a sentence, at most one button. */
export function EmptyState({ children, action }: EmptyStateProps): ReactNode {
  return (
    <div className={styles.empty}>
      <p>{children}</p>
      {action}
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

export interface EmptyStateProps {
  /** What will appear here and how: "No sessions yet. The first one appears here when you open a folder." */
  readonly children: ReactNode
  /** A button for it. */
  readonly action?: ReactNode
}

/** An empty place: a sentence and at most one button. */
export function EmptyState({ children, action }: EmptyStateProps): ReactNode {
  return (
    <div className={styles.empty}>
      <p>{children}</p>
      {action}
    </div>
  )
}

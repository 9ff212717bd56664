import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

export interface EmptyStateProps {
  /** The sentence, which says what will appear here and how: "No sessions yet. The first one appears here when you open a folder." */
  readonly children: ReactNode
  /** A button whose action fills the empty place. */
  readonly action?: ReactNode
}

/** A placeholder for an empty place: a sentence and at most one button. */
export function EmptyState({ children, action }: EmptyStateProps): ReactNode {
  return (
    <div className={styles.empty}>
      <p>{children}</p>
      {action}
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from './visually-hidden.module.css'

export interface VisuallyHiddenProps {
  readonly id?: string | undefined
  readonly children: ReactNode
}

/** Words for screen readers only. */
export function VisuallyHidden({ id, children }: VisuallyHiddenProps): ReactNode {
  return (
    <span id={id} className={styles.hidden}>
      {children}
    </span>
  )
}

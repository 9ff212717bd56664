import type { ReactNode } from 'react'
import styles from './dialog.module.css'
import { Overlay } from './overlay.tsx'

export interface DialogProps {
  /** Named for screen readers. */
  readonly label: string
  /** Escape, and a press outside. */
  readonly onClose: () => void
  readonly buttons: ReactNode
  readonly children: ReactNode
}

/** A modal dialog of text and fields, with buttons below. */
export function Dialog({ label, onClose, buttons, children }: DialogProps): ReactNode {
  return (
    <Overlay label={label} onClose={onClose} className={styles.dialog}>
      <div className={styles.body}>{children}</div>
      <footer className={styles.foot}>{buttons}</footer>
    </Overlay>
  )
}

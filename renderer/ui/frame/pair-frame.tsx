import type { ReactNode } from 'react'
import styles from './pair-frame.module.css'

interface PairFrameProps {
  readonly label: string
  /** Two `SessionPane`s. */
  readonly children: ReactNode
}

/** Two work panes side by side, together the main landmark. */
export function PairFrame({ label, children }: PairFrameProps): ReactNode {
  return (
    <main className={styles.pair} aria-label={label}>
      {children}
    </main>
  )
}

interface SessionPaneProps {
  readonly id: string
  /** Whether keys go to this pane. A line at its top shows that. */
  readonly isActive: boolean
  /** Called when the focus or a press enters the pane. */
  readonly onEnter: (by: 'focus' | 'press') => void
  readonly children: ReactNode
}

/** One of the two panes. */
export function SessionPane({ id, isActive, onEnter, children }: SessionPaneProps): ReactNode {
  return (
    <div
      className={styles.pane}
      data-session-pane={id}
      data-keys={isActive ? '' : undefined}
      onFocusCapture={() => onEnter('focus')}
      onPointerDownCapture={() => onEnter('press')}
    >
      {children}
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from './pair-frame.module.css'

interface PairFrameProps {
  readonly label: string
  /** Two `SessionPane`s. */
  readonly children: ReactNode
}

/** Two work panes beside each other, as the main landmark. */
export function PairFrame({ label, children }: PairFrameProps): ReactNode {
  return (
    <main className={styles.pair} aria-label={label}>
      {children}
    </main>
  )
}

interface SessionPaneProps {
  readonly id: string
  /** Whether keys go to this pane. A line at its top says so. */
  readonly hasKeys: boolean
  /** Called when the focus or a press enters the pane. */
  readonly onEnter: (by: 'focus' | 'press') => void
  readonly children: ReactNode
}

/** One of the two panes. */
export function SessionPane({ id, hasKeys, onEnter, children }: SessionPaneProps): ReactNode {
  return (
    <div
      className={styles.pane}
      data-session-pane={id}
      data-keys={hasKeys ? '' : undefined}
      onFocusCapture={() => onEnter('focus')}
      onPointerDownCapture={() => onEnter('press')}
    >
      {children}
    </div>
  )
}

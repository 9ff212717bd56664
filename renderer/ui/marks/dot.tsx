import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './dot.module.css'
import busyRingStyles from './busy-ring.module.css'
import stopSquareStyles from './stop-square.module.css'

export type DotState = 'running' | 'needs' | 'unread' | 'failed' | 'proven' | 'idle'

const words: Readonly<Record<DotState, string>> = {
  running: 'Running',
  needs: 'Needs you',
  unread: 'New',
  failed: 'Failed',
  proven: 'Proven',
  idle: '',
}

export interface DotProps {
  readonly state: DotState
  /** Text in place of the default word for the state. */
  readonly word?: string | undefined
  /** Whether the shape is hidden from screen readers, because words beside it say the same. */
  readonly silent?: boolean | undefined
  readonly className?: string | undefined
}

/** A state as an 8 px shape: ring, disc, small disc, square, or nothing. */
export function Dot({ state, word, silent = false, className }: DotProps): ReactNode {
  const label = word ?? words[state]
  const spoken = silent || label === '' ? ({ 'aria-hidden': true } as const) : { role: 'img', 'aria-label': label, 'data-tip': label }
  return <span className={classNames(styles.dot, styles[state], className)} data-dot={state} {...spoken} />
}

/** A spinner of 12 px with one turn in 800 ms. It does not move if the user prefers reduced motion. */
export function BusyRing(): ReactNode {
  return <span className={busyRingStyles.ring} aria-hidden="true" />
}

/** The filled square of 9 px before "Stop". */
export function StopSquare(): ReactNode {
  return <span className={stopSquareStyles.square} aria-hidden="true" />
}

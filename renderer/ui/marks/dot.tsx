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
  /** Another word than the state's own. */
  readonly word?: string | undefined
  /** True beside words that already say it. */
  readonly silent?: boolean | undefined
  readonly className?: string | undefined
}

/** A state in 8 px, told by shape: ring, disc, small disc, square, nothing. */
export function Dot({ state, word, silent = false, className }: DotProps): ReactNode {
  const label = word ?? words[state]
  const spoken = silent || label === '' ? ({ 'aria-hidden': true } as const) : { role: 'img', 'aria-label': label, 'data-tip': label }
  return <span className={classNames(styles.dot, styles[state], className)} data-dot={state} {...spoken} />
}

/** Work that goes on, 12 px, one turn in 800 ms. It stands still with reduced motion; the words beside it count on. */
export function BusyRing(): ReactNode {
  return <span className={busyRingStyles.ring} aria-hidden="true" />
}

/** The one filled glyph, 9 px: it stands before "Stop" and nowhere else, so that it is found without reading. */
export function StopSquare(): ReactNode {
  return <span className={stopSquareStyles.square} aria-hidden="true" />
}

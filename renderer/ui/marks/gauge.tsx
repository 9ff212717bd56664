import type { ReactNode } from 'react'
import { percent } from '../format.ts'
import styles from './gauge.module.css'

export interface GaugeProps {
  /** The measured quantity, for screen readers: "Context", "Time limit of npx jest". */
  readonly label: string
  /** From 0 to 1. Other values are clamped. */
  readonly ratio: number
  /** Positions of ticks as ratios: where a warning begins, and where an action begins. */
  readonly ticks?: readonly number[] | undefined
}

/** A level as a thin bar, 64 × 4 px. The number is written beside it. */
export function Gauge({ label, ratio, ticks = [] }: GaugeProps): ReactNode {
  const level = Math.min(1, Math.max(0, ratio))
  return (
    <span
      className={styles.gauge}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(level * 100)}
      aria-valuetext={percent(level)}
    >
      <span className={styles.level} style={{ inlineSize: `${level * 100}%` }} />
      {ticks.map((at) => (
        <span key={at} className={styles.tick} style={{ insetInlineStart: `${at * 100}%` }} />
      ))}
    </span>
  )
}

import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './axis.module.css'

/** Class that sets the axis columns; `tight` for a ledger inside another pane. Custom properties: `--pad`, `--axis`, `--body`. */
export function axisClass(tight = false): string {
  return classNames(styles.axis, tight && styles.tight)
}

export interface AxisProps {
  readonly tight?: boolean | undefined
  readonly children: ReactNode
}

/** Sets the axis for what lies in it, where there is no work pane to do so. */
export function Axis({ tight = false, children }: AxisProps): ReactNode {
  return <div className={axisClass(tight)}>{children}</div>
}

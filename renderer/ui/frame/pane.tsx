import type { ReactNode, Ref } from 'react'
import { classNames } from '../class-names.ts'
import { axisClass } from '../ledger/axis.tsx'
import styles from './pane.module.css'

export interface PaneProps {
  /** `work` lies on paper and carries the axis, `sessions` on chrome, `inspector` on paper. */
  readonly kind: 'sessions' | 'work' | 'inspector'
  /** Named for screen readers and for F6: "Sessions", "March invoices", "Inspector". */
  readonly label: string
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLDivElement> | undefined
  readonly children: ReactNode
}

/** A pane of the desk; `work` is the main landmark, the landmarks of the others are the frame's. Holds `PaneHead`, `PaneBar`s and one `PaneScroll`; F6 can put the focus on it. */
export function Pane({ kind, label, className, ref, children }: PaneProps): ReactNode {
  const work = kind === 'work'
  const Box = work ? 'main' : 'div'
  return (
    <Box
      ref={ref}
      role={work ? undefined : 'group'}
      className={classNames(styles.pane, styles[kind], work && axisClass(), className)}
      aria-label={label}
      tabIndex={-1}
      data-pane={kind}
    >
      {children}
    </Box>
  )
}

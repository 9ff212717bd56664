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
  readonly ref?: Ref<HTMLElement> | undefined
  readonly children: ReactNode
}

/** A pane of the desk, a landmark: `PaneHead`, `PaneBar`s and one `PaneScroll`. F6 can put the focus on it. */
export function Pane({ kind, label, className, ref, children }: PaneProps): ReactNode {
  const Landmark = kind === 'work' ? 'main' : kind === 'sessions' ? 'nav' : 'aside'
  return (
    <Landmark
      ref={ref}
      className={classNames(styles.pane, styles[kind], kind === 'work' && axisClass(), className)}
      aria-label={label}
      tabIndex={-1}
      data-pane={kind}
    >
      {children}
    </Landmark>
  )
}

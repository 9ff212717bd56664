import type { ReactNode, Ref, UIEventHandler } from 'react'
import { classNames } from '../class-names.ts'
import ring from './focus-ring.module.css'
import styles from './pane-scroll.module.css'

export interface PaneScrollProps {
  /** What scrolls, for screen readers: "Ledger". */
  readonly label: string
  /** Room above and below, for lists. */
  readonly padded?: boolean | undefined
  readonly onScroll?: UIEventHandler<HTMLElement> | undefined
  readonly ref?: Ref<HTMLElement> | undefined
  readonly children: ReactNode
}

/** The part of a pane that scrolls; it can have the focus, so that keys scroll it. */
export function PaneScroll({ label, padded = false, onScroll, ref, children }: PaneScrollProps): ReactNode {
  return (
    <div className={classNames(ring.around, styles.room)}>
      <section
        ref={ref}
        className={classNames(styles.scroll, padded && styles.padded)}
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
        tabIndex={0}
        onScroll={onScroll}
      >
        {children}
      </section>
    </div>
  )
}

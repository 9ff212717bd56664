import type { ReactNode } from 'react'
import styles from './screen-reader.module.css'

export interface VisuallyHiddenProps {
  readonly id?: string | undefined
  readonly children: ReactNode
}

/** Words for screen readers only. */
export function VisuallyHidden({ id, children }: VisuallyHiddenProps): ReactNode {
  return (
    <span id={id} className={styles.hidden}>
      {children}
    </span>
  )
}

/** Words that `aria-describedby` points at, in sight of nobody and in no layout: why a control cannot be used. */
export function Reason({ id, children }: { readonly id: string; readonly children: string }): ReactNode {
  return (
    <span id={id} hidden>
      {children}
    </span>
  )
}

interface LiveRegionProps {
  /** Said when it changes; empty says nothing. */
  readonly message: string
  /** `assertive` for what needs the person, once: "Edit, 3 hunks in 2 files, Control J to answer". */
  readonly urgency?: 'polite' | 'assertive' | undefined
}

/** Words that a screen reader says by itself. Always mounted: a region that appears with its words is not heard. */
export function LiveRegion({ message, urgency = 'polite' }: LiveRegionProps): ReactNode {
  return (
    <VisuallyHidden>
      <span role={urgency === 'assertive' ? 'alert' : 'status'} aria-live={urgency} aria-atomic="true">
        {message}
      </span>
    </VisuallyHidden>
  )
}

import type { ReactNode } from 'react'
import styles from './screen-reader.module.css'

/** Words for screen readers only. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className={styles.hidden}>{children}</span>
}

/** A hidden description for `aria-describedby`: why a control cannot be used. */
export function Reason({ id, children }: { readonly id: string; readonly children: string }): ReactNode {
  return (
    <span id={id} hidden>
      {children}
    </span>
  )
}

interface LiveRegionProps {
  /** The text is announced when it changes. An empty text announces nothing. */
  readonly message: string
  /** `assertive` announces what needs the user, once: "Edit, 3 hunks in 2 files, Control J to answer". */
  readonly urgency?: 'polite' | 'assertive' | undefined
}

/** A live region for screen readers. It must stay mounted, because a region that appears together with its text is not announced. */
export function LiveRegion({ message, urgency = 'polite' }: LiveRegionProps): ReactNode {
  return (
    <VisuallyHidden>
      <span role={urgency === 'assertive' ? 'alert' : 'status'} aria-live={urgency} aria-atomic="true">
        {message}
      </span>
    </VisuallyHidden>
  )
}

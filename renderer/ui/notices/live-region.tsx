import type { ReactNode } from 'react'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface LiveRegionProps {
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

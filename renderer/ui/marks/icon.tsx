import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './icon.module.css'

export interface IconProps {
  /** A glyph of `lucide-react`, imported by name in the component that uses it. */
  readonly glyph: LucideIcon
  /** Size in pixels: 16, 14 in small buttons, 12 for carets and the status strip. */
  readonly size?: 12 | 14 | 16 | undefined
}

/** A Lucide icon with a stroke of 1.25 px (1 px at size 12), in the color of the text beside it. Hidden from screen readers. */
export function Icon({ glyph: Glyph, size = 16 }: IconProps): ReactNode {
  return (
    <Glyph className={styles.icon} size={size} strokeWidth={size === 12 ? 1 : 1.25} nonScalingStroke aria-hidden="true" focusable="false" />
  )
}

import type { ReactNode } from 'react'
import styles from './text-link.module.css'

interface TextLinkProps {
  /** The tooltip: what a press does or opens. */
  readonly tip: string
  readonly onPress: () => void
  readonly children: ReactNode
}

/** A link within a text. */
export function TextLink({ tip, onPress, children }: TextLinkProps): ReactNode {
  return (
    <button type="button" className={styles.link} data-tip={tip} onClick={onPress}>
      {children}
    </button>
  )
}

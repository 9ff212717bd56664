import type { ReactNode } from 'react'
import styles from './busy-ring.module.css'

/** Work that goes on, 12 px, one turn in 800 ms. It stands still with reduced motion; the words beside it count on. */
export function BusyRing(): ReactNode {
  return <span className={styles.ring} aria-hidden="true" />
}

import type { ReactNode } from 'react'
import styles from './stop-square.module.css'

/** The one filled glyph, 9 px: it stands before "Stop" and nowhere else, so that it is found without reading. */
export function StopSquare(): ReactNode {
  return <span className={styles.square} aria-hidden="true" />
}

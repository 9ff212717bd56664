import type { ReactNode } from 'react'
import styles from './diff.module.css'

interface LineNoteBoxProps {
  /** The accessible name. */
  readonly label: string
  /** An icon before the words. */
  readonly lead?: ReactNode
  /** The buttons after the words. */
  readonly end: ReactNode
  readonly children: ReactNode
}

/** A note below lines of a diff. */
export function LineNoteBox({ label, lead, end, children }: LineNoteBoxProps): ReactNode {
  return (
    <section className={styles.note} aria-label={label}>
      {lead}
      <div className={styles.noteWords}>{children}</div>
      {end}
    </section>
  )
}

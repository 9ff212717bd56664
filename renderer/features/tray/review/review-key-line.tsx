import type { ReactNode } from 'react'
import { Kbd } from '../../../ui/marks/kbd.tsx'
import styles from './review.module.css'
import type { Review } from './use-request-review.ts'

/** The keys of a request with hunks. Shown only while the tray has the focus, because the keys work only then. */
export function ReviewKeyLine({ review: { pieces, decided, canWait } }: { readonly review: Review }): ReactNode {
  if (decided.editing !== null)
    return (
      <p className={styles.keys}>
        <span>
          <Kbd keys="Esc" /> leave the text, the draft is kept
        </span>
      </p>
    )
  if (pieces.length === 0) return null
  return (
    <p className={styles.keys}>
      {pieces.length > 1 && (
        <span>
          <Kbd keys="J" /> <Kbd keys="K" /> hunk
        </span>
      )}
      <span>
        <Kbd keys="Y" /> keep
      </span>
      <span>
        <Kbd keys="N" /> refuse
      </span>
      <span>
        <Kbd keys="E" /> edit
      </span>
      {canWait && (
        <span>
          <Kbd keys="L" /> later
        </span>
      )}
    </p>
  )
}

import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { counted } from '../../ui/format.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import styles from './changes.module.css'
import { countStates, type HunkState } from './seen-hunks.ts'
import { inOrder } from './review-files.ts'
import { type Review, totalSeen } from './use-review.ts'

/** Maximum number of strokes that fit side by side. If there are more hunks, only the sentence is shown. */
const MAX_STROKES = 80

/** Shows "31 of 34 hunks seen", with a stroke for each hunk. */
export function SeenSummary({ review }: { readonly review: Review }): ReactNode {
  const { seen, again, all } = totalSeen(review)
  const files = inOrder(review.files ?? []).flatMap(({ path }) => {
    const states = review.states.get(path)
    return states ? [{ path, states }] : []
  })
  return (
    <section className={styles.summary} aria-label="Seen">
      <p className={styles.seenWords} role="status">
        {review.isCounted ? `${seen} of ${counted(all, 'hunk')} seen` : 'Counting hunks …'}
      </p>
      {all > 0 && all <= MAX_STROKES && (
        <div className={styles.strokes} aria-hidden="true">
          {files.map(({ path, states }) => (
            <span key={path} className={styles.strokeGroup}>
              {states.map((state, at) => (
                <span key={at} className={classNames(styles.stroke, styles[state.kind])} />
              ))}
            </span>
          ))}
        </div>
      )}
      {again > 0 && (
        <p className={styles.againWords}>
          {again} changed after you saw {again === 1 ? 'it' : 'them'}
        </p>
      )}
    </section>
  )
}

/**
 * The mark at the end of a file's row: all hunks seen, some hunks changed since they were seen, or how many hunks of the file were seen.
 */
export function SeenMark({ states }: { readonly states: readonly HunkState[] }): ReactNode {
  const { seen, again, all } = countStates(states)
  if (again > 0) return <span className={styles.againMark}>again</span>
  if (seen === all)
    return (
      <span role="img" aria-label="All hunks seen">
        <Icon glyph={Check} size={14} />
      </span>
    )
  return (
    <span className="dim">
      {seen}/{all}
    </span>
  )
}

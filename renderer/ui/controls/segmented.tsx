import { type ReactNode, useId } from 'react'
import { Reason } from '../notices/screen-reader.tsx'
import styles from './segmented.module.css'

export interface Segment<Id extends string> {
  readonly id: Id
  readonly label: string
  /** Why the option cannot be chosen now. */
  readonly disabledReason?: string | null | undefined
}

export interface SegmentedProps<Id extends string> {
  /** The subject of the choice: "How long this answer holds". */
  readonly label: string
  readonly segments: readonly Segment<Id>[]
  readonly selected: Id
  readonly onSelect: (id: Id) => void
}

/** A choice of a few visible options. It consists of radio buttons: arrow keys move, and the group is one tab stop. */
export function Segmented<Id extends string>({ label, segments, selected, onSelect }: SegmentedProps<Id>): ReactNode {
  const name = useId()
  return (
    <div className={styles.segmented} role="radiogroup" aria-label={label}>
      {segments.map(({ id, label: words, disabledReason = null }) => (
        <label key={id} className={styles.segment} data-tip={disabledReason ?? undefined}>
          <input
            type="radio"
            className={styles.radio}
            name={name}
            checked={id === selected}
            aria-disabled={disabledReason !== null || undefined}
            aria-describedby={disabledReason === null ? undefined : `${name}-${id}`}
            onChange={() => {
              if (disabledReason === null) onSelect(id)
            }}
          />
          <span className={styles.words} data-words={words}>
            {words}
          </span>
          {disabledReason !== null && <Reason id={`${name}-${id}`}>{disabledReason}</Reason>}
        </label>
      ))}
    </div>
  )
}

import type { ReactNode } from 'react'
import { shiftsOf } from '../../../state/stores/review-decisions.ts'
import { fileNote } from '../../../ui/diff/file-words.ts'
import { counted } from '../../../ui/format.ts'
import { HunkPart } from '../review/hunk-part.tsx'
import { WholeFileChange } from '../review/whole-file-change.tsx'
import type { Review } from '../review/use-request-review.ts'
import styles from './bring-in.module.css'
import { countsOf, type SetPart } from './change-sets.ts'
import type { NamedSet } from './use-change-sets.ts'

interface SetPartsProps {
  readonly set: NamedSet
  /** Its place in the list, counted from 1. */
  readonly number: number
  readonly review: Review
  /** Whether all lines are shown at first, and not only those of the current hunk. */
  readonly unfolds: boolean
}

/** The hunks of one change set, below its name. */
export function SetParts({ set, number, review, unfolds }: SetPartsProps): ReactNode {
  const { signed, of, conflicts } = countsOf(set, review.decided.refused)
  return (
    <section aria-label={set.title}>
      <h2 className={styles.band}>
        <span className={styles.bandNumber}>{number}</span>
        <span className="clip">{set.title}</span>
        <span className="soft">
          {signed} of {counted(of, 'hunk')}
          {conflicts > 0 && `, ${counted(conflicts, 'conflict')}`}
        </span>
      </h2>
      {set.parts.map((part) => (
        <Part key={part.piece.key} part={part} review={review} unfolds={unfolds} />
      ))}
    </section>
  )
}

function Part({
  part: { file, hunk },
  review,
  unfolds,
}: Pick<SetPartsProps, 'review' | 'unfolds'> & { readonly part: SetPart }): ReactNode {
  const { shown, file: texts } = file
  const note = texts && fileNote(texts.before, texts.after)
  if (hunk === null) return <WholeFileChange file={file} words={file.words} path={shown} note={note} review={review} unfolds />
  const at = file.hunks?.indexOf(hunk) ?? 0
  const shift = file.hunks ? (shiftsOf(file.hunks, review.decided)[at] ?? 0) : 0
  return <HunkPart hunk={hunk} shown={shown} path={shown} note={note} review={review} shift={shift} unfolds={unfolds ? 'all' : 'current'} />
}

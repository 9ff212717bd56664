import { type ReactNode, useEffect, useMemo } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { useComputedDiff } from '../../../ui/diff/diff-view.tsx'
import { fileNote } from '../../../ui/diff/file-words.ts'
import { MovedFrom } from '../../../ui/diff/file-notes.tsx'
import { picturesOf, PictureSides } from '../../../ui/diff/pictures/picture-sides.tsx'
import { FileRow } from '../../../ui/ledger/file-row.tsx'
import { ExactPath } from '../../../ui/text/exact-text.tsx'
import { shiftsOf } from '../../../state/stores/review-decisions.ts'
import { HunkPart, type Unfolds } from './hunk-part.tsx'
import { lineCount } from './review-signature.ts'
import styles from './review.module.css'
import type { ReviewedFile } from './reviewed-files.ts'
import type { Review } from './use-request-review.ts'
import { WholeFileChange } from './whole-file-change.tsx'

export interface FilePartProps {
  readonly file: ReviewedFile
  readonly review: Review
  /**
   * How the file is named: in a row of its own above its parts, in the head of its only part, or not at all because the title above names
   * it.
   */
  readonly named: 'row' | 'part' | 'title'
  readonly unfolds: Unfolds
}

/** One file of a request, with its parts. */
export function FilePart({ file, review, named, unfolds }: FilePartProps): ReactNode {
  const { shown, file: texts, hunks, words } = file
  const movedFrom = texts?.movedFrom
  const { decided } = review
  const counts = useMemo(() => hunks && lineCount(hunks, decided), [hunks, decided])
  const shifts = hunks && shiftsOf(hunks, decided)
  const pictures = useMemo(() => texts && picturesOf(shown, texts.before, texts.after), [shown, texts])
  const note = movedFrom === undefined ? texts && fileNote(texts.before, texts.after) : <MovedFrom path={movedFrom} whole />
  const isOnePart = hunks === null || hunks.length === 1
  const hasRow = named === 'row' || (named === 'part' && !isOnePart)
  const path = named === 'part' && isOnePart && movedFrom === undefined ? shown : null
  return (
    <>
      {(hasRow || movedFrom !== undefined) && (
        <FileRow path={shown} whole note={note ?? undefined} added={counts?.added} removed={counts?.removed} />
      )}
      {words !== null && file.texts && (
        <p className={styles.words}>
          <ExactPath path={words} />
        </p>
      )}
      {file.texts && pictures && <PictureSides path={shown} pictures={pictures} layout="stacked" />}
      {file.texts && hunks === null && <Comparison file={file} {...file.texts} found={review.found} />}
      {hunks?.map((hunk, at) => (
        <HunkPart
          key={hunk.key}
          hunk={hunk}
          shown={shown}
          path={path}
          note={note}
          review={review}
          shift={shifts?.[at] ?? 0}
          unfolds={unfolds}
        />
      ))}
      {file.texts === null && (
        <WholeFileChange
          file={file}
          words={words}
          path={path}
          note={note}
          review={review}
          unfolds={named !== 'part' && unfolds !== 'versions'}
        />
      )}
    </>
  )
}

interface ComparisonProps {
  readonly file: ReviewedFile
  readonly before: string | null
  readonly after: string | null
  readonly found: Review['found']
}

/** Compares the two texts of a file and reports its hunks. */
function Comparison({ file: { path }, before, after, found }: ComparisonProps): ReactNode {
  const computing = useComputedDiff(path, before, after)
  const places = computing.kind === 'done' ? computing.diff.hunks : null
  useEffect(() => {
    if (places) found(path, places)
  }, [places, path, found])
  if (computing.kind === 'failed')
    return (
      <p className={styles.words}>
        The two versions could not be compared: {computing.message}{' '}
        <Button small onPress={computing.retry}>
          Compare again
        </Button>
      </p>
    )
  return <p className={styles.words}>Comparing both versions…</p>
}

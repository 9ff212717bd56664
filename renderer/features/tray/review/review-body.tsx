import { type ReactNode, useEffect, useMemo } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { useComputedDiff } from '../../../ui/diff/diff-view.tsx'
import { fileNote } from '../../../ui/diff/file-words.ts'
import { MoreFiles } from '../../../ui/diff/step-diff.tsx'
import { MovedFrom } from '../../../ui/diff/file-notes.tsx'
import { picturesOf, PictureSides } from '../../../ui/diff/pictures/picture-sides.tsx'
import { FileRow } from '../../../ui/ledger/file-row.tsx'
import { shiftsOf } from '../../../state/stores/review-decisions.ts'
import { GitPart } from './git-part.tsx'
import { HunkPart } from './hunk-part.tsx'
import { lineCount } from './review-signature.ts'
import styles from './review.module.css'
import type { Review, ReviewedFile } from './use-request-review.ts'
import { WholeFileChange } from './whole-file-change.tsx'

/** Maximum number of changed lines that are unfolded at first. With more lines, only the current hunk is unfolded. */
const FEW_LINES = 30

/**
 * The files of a request, with each hunk to accept, reject or edit. `titled` is true if the title already shows the path of the only
 * file.
 */
export function ReviewBody({ review, titled }: { readonly review: Review; readonly titled: boolean }): ReactNode {
  const { files } = review
  const lines = files.flatMap(({ hunks }) => hunks ?? []).reduce((sum, { place }) => sum + place.added + place.removed, 0)
  return (
    <>
      {review.git && <GitPart git={review.git} review={review} />}
      {files.map((file) => (
        <FilePart key={file.path} file={file} review={review} named={!titled || files.length > 1} unfolds={lines <= FEW_LINES} />
      ))}
      <MoreFiles notShown={review.notShown} onShow={review.showMore} />
    </>
  )
}

interface FilePartProps {
  readonly file: ReviewedFile
  readonly review: Review
  readonly named: boolean
  readonly unfolds: boolean
}

function FilePart({ file, review, named, unfolds }: FilePartProps): ReactNode {
  const { shown, file: texts, hunks, words } = file
  const movedFrom = texts?.movedFrom
  const { decided } = review
  const counts = useMemo(() => hunks && lineCount(hunks, decided), [hunks, decided])
  const shifts = hunks && shiftsOf(hunks, decided)
  const pictures = useMemo(() => texts && picturesOf(shown, texts.before, texts.after), [shown, texts])
  const note = movedFrom === undefined ? texts && fileNote(texts.before, texts.after) : <MovedFrom path={movedFrom} whole />
  return (
    <>
      {(named || movedFrom !== undefined) && (
        <FileRow path={shown} whole note={note ?? undefined} added={counts?.added} removed={counts?.removed} />
      )}
      {words !== null && file.texts && <p className={styles.words}>{words}</p>}
      {file.texts && pictures && <PictureSides path={shown} pictures={pictures} layout="stacked" />}
      {file.texts && <Comparison file={file} {...file.texts} found={review.found} />}
      {hunks?.map((hunk, at) => (
        <HunkPart key={hunk.key} hunk={hunk} shown={shown} review={review} shift={shifts?.[at] ?? 0} unfolds={unfolds} />
      ))}
      {file.texts === null && <WholeFileChange file={file} words={words} review={review} />}
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
function Comparison({ file: { path, hunks }, before, after, found }: ComparisonProps): ReactNode {
  const computing = useComputedDiff(path, before, after)
  const places = computing.kind === 'done' ? computing.diff.hunks : null
  useEffect(() => {
    if (places) found(path, places)
  }, [places, path, found])
  if (hunks !== null) return null
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

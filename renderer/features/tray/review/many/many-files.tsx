import { type ReactNode, useState } from 'react'
import { added, counted, removed } from '../../../../ui/format.ts'
import { FILES_AT_ONCE, MoreFiles } from '../../../../ui/diff/step-diff.tsx'
import { FilePart } from '../file-part.tsx'
import type { Unfolds } from '../hunk-part.tsx'
import { lineCount } from '../review-signature.ts'
import type { ReviewedFile } from '../reviewed-files.ts'
import styles from '../review.module.css'
import type { ListedFiles, Review } from '../use-request-review.ts'
import many from './many.module.css'
import { ListHead, SameChangePart } from './same-change-part.tsx'

/** Number of files with a change of their own that are listed at first. */
const LISTED_AT_FIRST = 200

interface ManyFilesProps {
  readonly review: Review
  readonly list: ListedFiles
  readonly unfolds: Unfolds
}

/** A long list of files. Each change that several files have in common is shown once. The other files have one row each. */
export function ManyFiles({ review, list, unfolds }: ManyFilesProps): ReactNode {
  const { arranged, compared } = list
  if (arranged === null)
    return (
      <p className={styles.words} role="status" data-undrawn>
        Comparing {counted(review.files.length, 'file')}, {compared.toLocaleString('en-US')} so far…
      </p>
    )
  const { same, others } = arranged
  return (
    <>
      {same.map((change) => (
        <SameChangePart key={change.first.path} change={change} review={review} />
      ))}
      <OtherFiles files={others} review={review} isRest={same.length > 0} unfolds={unfolds} />
    </>
  )
}

interface OtherFilesProps {
  readonly files: readonly ReviewedFile[]
  readonly review: Review
  /** Whether there are other files, with a change in common. */
  readonly isRest: boolean
  readonly unfolds: Unfolds
}

function OtherFiles({ files, review, isRest, unfolds }: OtherFilesProps): ReactNode {
  const { decided, current, notShown } = review
  const [atOnce, setAtOnce] = useState(LISTED_AT_FIRST)
  const at = files.findIndex(({ pieces }) => current !== undefined && pieces.includes(current))
  const count = Math.max(atOnce, at + 1)
  const left = Math.max(0, files.length - count)
  const lines = lineCount(
    files.flatMap(({ hunks }) => hunks ?? []),
    decided,
  )
  const showMore = (): void => {
    setAtOnce(count + FILES_AT_ONCE)
    if (left < FILES_AT_ONCE) review.showMore(FILES_AT_ONCE)
  }
  return (
    <>
      {isRest && files.length > 0 && (
        <ListHead title={`Other changes in ${counted(files.length, 'file')}`} about="look at each">
          <span className={many.counts}>
            <span className="add">{added(lines.added)}</span>
            <span className="del">{removed(lines.removed)}</span>
          </span>
        </ListHead>
      )}
      {files.slice(0, count).map((file) => (
        <FilePart key={file.path} file={file} review={review} named="part" unfolds={unfolds} />
      ))}
      <MoreFiles notShown={left + notShown} onShow={showMore} />
    </>
  )
}

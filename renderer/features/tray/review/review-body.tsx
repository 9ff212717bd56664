import type { ReactNode } from 'react'
import { FilePart } from './file-part.tsx'
import { GitPart } from './git-part.tsx'
import { ManyFiles } from './many/many-files.tsx'
import type { Review } from './use-request-review.ts'

/** Maximum number of changed lines that are unfolded at first. With more lines, only the current hunk is unfolded. */
const FEW_LINES = 30

interface ReviewBodyProps {
  readonly review: Review
  /** Whether the title already shows the path of the only file. */
  readonly titled: boolean
  /** Whether the lines are shown above the tray. If so, only the user's versions are unfolded at first. */
  readonly isBelowDiff: boolean
}

/** The files of a request, with each hunk to keep, refuse or edit. */
export function ReviewBody({ review, titled, isBelowDiff }: ReviewBodyProps): ReactNode {
  const { files, git, list } = review
  const lines = files.flatMap(({ hunks }) => hunks ?? []).reduce((sum, { place }) => sum + place.added + place.removed, 0)
  return (
    <>
      {git && <GitPart git={git} review={review} />}
      {list ? (
        <ManyFiles review={review} list={list} unfolds={isBelowDiff ? 'versions' : 'current'} />
      ) : (
        files.map((file) => (
          <FilePart
            key={file.path}
            file={file}
            review={review}
            named={titled && files.length === 1 ? 'title' : 'row'}
            unfolds={isBelowDiff ? 'versions' : lines <= FEW_LINES ? 'all' : 'current'}
          />
        ))
      )}
    </>
  )
}

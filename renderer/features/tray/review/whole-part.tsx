import { type ReactNode, useState } from 'react'
import { accepted, rejected } from '../../../state/stores/decisions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FileTextsDiff } from '../../../ui/diff/file-texts-diff.tsx'
import { HunkBar } from '../../../ui/ledger/hunk-bar.tsx'
import styles from './review.module.css'
import type { Review, ReviewedFile } from './use-review.ts'

const ignore = (): void => {}

export interface WholePartProps {
  readonly file: ReviewedFile
  readonly words: string | null
  readonly review: Review
}

/** A change without hunks, such as a deletion or a picture: accepted or rejected as a whole. */
export function WholePart({ file, words, review }: WholePartProps): ReactNode {
  const { current, decided, change } = review
  const [isOpen, setOpen] = useState(true)
  const key = file.path
  const isRejected = decided.rejected.has(key)
  const isCurrent = current?.key === key
  const decide = (): void => change((known) => ({ ...(isRejected ? accepted(known, [key]) : rejected(known, key)), current: key }))
  return (
    <HunkBar
      mark={isRejected ? 'refused' : 'signed'}
      markWord={isRejected ? 'Rejected' : 'Accepted'}
      what={isRejected ? 'rejected' : 'accepted'}
      current={isCurrent}
      actions={
        <>
          <Button
            small
            variant="quiet"
            keys={isCurrent ? (isRejected ? 'Y' : 'N') : undefined}
            label={`${isRejected ? 'Accept' : 'Reject'} ${file.shown}`}
            onPress={decide}
          >
            {isRejected ? 'Accept' : 'Reject'}
          </Button>
          {file.file && (
            <Button small variant="quiet" expanded={isOpen} onPress={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide' : 'Show'}
            </Button>
          )}
        </>
      }
    >
      {words !== null && <p className={styles.words}>{words}</p>}
      {file.file && isOpen && <FileTextsDiff file={file.file} onSummary={ignore} />}
    </HunkBar>
  )
}

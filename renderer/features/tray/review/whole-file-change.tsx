import { type ReactNode, useMemo, useState } from 'react'
import { accepted, rejected, withChoice } from '../../../state/stores/review-decisions.ts'
import { Choices, Side, Sides } from '../../../ui/conflicts/conflict-sides.tsx'
import { useWritersMenu } from '../../../tools/view/line-writers.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { FileTextsDiff } from '../../../ui/diff/file-texts-diff.tsx'
import { HunkBar } from '../../../ui/ledger/hunk-bar.tsx'
import styles from './review.module.css'
import type { Review, ReviewedFile } from './use-request-review.ts'

const ignore = (): void => {}

export interface WholeFileChangeProps {
  readonly file: ReviewedFile
  readonly words: string | null
  readonly review: Review
}

/** A change without hunks, such as a deletion or a picture. It is accepted or rejected completely. */
export function WholeFileChange({ file, words, review }: WholeFileChangeProps): ReactNode {
  const { current, decided, change } = review
  const [isOpen, setOpen] = useState(true)
  const key = file.path
  const { sessionId, sidesOf } = review
  const written = useWritersMenu(
    sessionId,
    useMemo(() => sidesOf(key), [sidesOf, key]),
  )
  const isRejected = decided.rejected.has(key)
  const isCurrent = current?.key === key
  const decide = (): void => change((known) => ({ ...(isRejected ? accepted(known, [key]) : rejected(known, key)), current: key }))
  return (
    <HunkBar
      mark={isRejected ? 'refused' : 'signed'}
      markWord={isRejected ? 'Rejected' : 'Accepted'}
      what={file.conflicts.length > 0 && !isRejected ? 'accepted, with lines in conflict' : isRejected ? 'rejected' : 'accepted'}
      current={isCurrent}
      actions={
        <>
          <Button small variant="quiet" label={`${isRejected ? 'Accept' : 'Reject'} ${file.shown}`} onPress={decide}>
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
      {file.file && isOpen && file.file.before !== file.file.after && <FileTextsDiff file={file.file} onSummary={ignore} {...written} />}
      {!isRejected && <Conflicts file={file} review={review} />}
    </HunkBar>
  )
}

/** Lines that both the subagent and someone else changed. Each needs a choice before signing. */
function Conflicts({ file: { path, shown, conflicts }, review: { decided, change } }: Omit<WholeFileChangeProps, 'words'>): ReactNode {
  const of = conflicts.length
  return conflicts.map((region, index) => (
    <section
      key={`${region.now.line} ${region.step.line}`}
      className={styles.conflict}
      aria-label={`Conflict ${index + 1} of ${of} in ${shown}`}
    >
      <Sides>
        <Side title="Before" about="as the subagent found it" text={region.step} />
        <Side title="Subagent" about="in its own copy" text={region.before} kind="add" />
        <Side title="Now" about="in the folder" text={region.now} />
      </Sides>
      <Choices
        name={`Conflict ${index + 1} of ${of}: both sides changed these lines`}
        choice={decided.choices.get(path)?.[index] ?? null}
        now="Keep the lines in the folder"
        before="Take the subagent’s lines"
        own={region.now.lines.join('\n')}
        onChoose={(choice) => change((known) => withChoice(known, { path, of }, index, choice))}
      />
    </section>
  ))
}

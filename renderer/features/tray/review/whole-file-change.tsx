import { type ReactNode, useMemo, useState } from 'react'
import { choiceOf, withChoice } from '../../../state/stores/review-decisions.ts'
import { Choices, Side, Sides } from '../../../ui/conflicts/conflict-sides.tsx'
import { useWritersMenu } from '../../../tools/view/line-writers.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { FileTextsDiff } from '../../../ui/diff/file-texts-diff.tsx'
import { HunkBar } from '../../../ui/ledger/hunk-bar.tsx'
import { ExactPath } from '../../../ui/text/exact-text.tsx'
import { CHOICE_MARK_WORDS, CHOICE_MARKS, CHOICE_WORDS, ChoiceButtons, DELETION_WORDS } from './choice-buttons.tsx'
import { FileName } from './hunk-part.tsx'
import { LayerConflicts } from './layer-conflicts.tsx'
import styles from './review.module.css'
import type { ReviewedFile } from './reviewed-files.ts'
import type { Review } from './use-request-review.ts'

const ignore = (): void => {}

export interface WholeFileChangeProps {
  readonly file: ReviewedFile
  readonly words: string | null
  /** The path to be shown in the head. Null if a row above shows it. */
  readonly path: string | null
  /** A note about the file, shown with the path. */
  readonly note: ReactNode
  readonly review: Review
  /** Whether the change is shown at first. */
  readonly unfolds: boolean
}

/** A change without hunks, such as a deletion or a picture. It is kept or refused completely. */
export function WholeFileChange({ file, words, path, note, review, unfolds }: WholeFileChangeProps): ReactNode {
  const { current, decided } = review
  const [isOpen, setOpen] = useState(unfolds)
  const key = file.path
  const { sessionId, sidesOf } = review
  const written = useWritersMenu(
    sessionId,
    useMemo(() => sidesOf(key), [sidesOf, key]),
  )
  const choice = choiceOf(decided, key)
  const isKept = choice === 'kept'
  const isCurrent = current?.key === key
  const isDeletion = file.file?.after === null
  const chosen = (isDeletion ? DELETION_WORDS : CHOICE_WORDS)[choice]
  const state = isKept && file.conflicts.length > 0 ? 'kept, with lines in conflict' : chosen
  return (
    <HunkBar
      mark={CHOICE_MARKS[choice]}
      markWord={CHOICE_MARK_WORDS[choice]}
      what={
        <>
          {path !== null && <FileName path={path} note={isDeletion ? null : note} />}
          <span className={path === null ? undefined : 'soft'}>{state}</span>
        </>
      }
      current={isCurrent}
      actions={
        <>
          <ChoiceButtons name={file.shown} keys={[key]} review={review} />
          {file.file && (
            <Button small variant="quiet" expanded={isOpen} onPress={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide' : 'Show'}
            </Button>
          )}
        </>
      }
    >
      {words !== null && (
        <p className={styles.words}>
          <ExactPath path={words} />
        </p>
      )}
      {file.file && isOpen && file.file.before !== file.file.after && <FileTextsDiff file={file.file} onSummary={ignore} {...written} />}
      {isKept && (review.from === 'subagent' ? <Conflicts file={file} review={review} /> : <LayerConflicts file={file} review={review} />)}
    </HunkBar>
  )
}

/** Lines that both the subagent and someone else changed. Each needs a choice before signing. */
function Conflicts({
  file: { path, shown, conflicts },
  review: { decided, change },
}: Pick<WholeFileChangeProps, 'file' | 'review'>): ReactNode {
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

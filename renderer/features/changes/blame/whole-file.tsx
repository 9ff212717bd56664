import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { BlobText } from '../../../../shared/api/changes/changes.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { writerOf } from '../../../../shared/api/changes/blame.ts'
import { showEntry } from '../../../state/commands/actions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { useBlame } from '../../../state/hooks/changes/use-blame.ts'
import { FileLines, linesInWords, NO_RUNS, WritersFoot, writersClass } from '../../../tools/view/file-lines.tsx'
import { writerRuns } from '../../../tools/view/writer-runs.ts'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import type { LinePlace } from '../../../ui/diff/compare/compute-diff.ts'
import { PaneScroll } from '../../../ui/frame/panes/pane.tsx'
import { type ReviewFile, sidesOf, type Versions } from '../review-files.ts'
import type { Review } from '../use-review.ts'
import styles from './whole-file.module.css'

export interface WholeFileProps {
  readonly sessionId: SessionId
  readonly file: ReviewFile
  readonly review: Pick<Review, 'onHunks' | 'whole'>
  readonly versions: Versions
  readonly before: BlobText | null
  readonly after: BlobText | null
}

/** The complete file under review, in one of its two versions, with the writer of each line. */
export function WholeFile({ sessionId, file, review, versions, before, after }: WholeFileProps): ReactNode {
  const desk = useDesk()
  const at = review.whole.at?.path === file.path ? review.whole.at : null
  const [side, setSide] = useState<LinePlace['side']>(after === null ? 'deletions' : (at?.side ?? 'additions'))
  const isAfter = side === 'additions'
  const sides = sidesOf(file, versions)
  const isProposed = isAfter && file.isProposed === true
  const { blame, trouble } = useBlame(sessionId, isProposed ? null : isAfter ? sides.after : sides.before)
  const runs = useMemo(() => (blame ? writerRuns(blame, sessionId) : NO_RUNS), [blame, sessionId])
  const [line, setLine] = useState<number | null>(at?.line ?? null)
  const { onHunks } = review
  // A complete file has no hunks, so the next hunk is in the next file.
  useEffect(() => onHunks(0), [onHunks])
  useEffect(() => desk.view.setState({ asked: null }), [desk])
  const showStep = (pressed: number): void => {
    const writer = blame && writerOf(blame, pressed)
    if (writer?.kind === 'step' || writer?.kind === 'undo') showEntry(desk, writer.sessionId, writer.item)
  }
  return (
    <div className={writersClass} role="group" aria-label={`Whole file ${file.shown}`}>
      <div className={styles.head}>
        <span className="soft" role="status">
          {isProposed && 'This version is only proposed.'}
          {!isProposed &&
            (trouble ? `${trouble.what} ${trouble.todo}` : blame ? linesInWords(blame.lines) : 'Tracing who wrote the lines…')}
        </span>
        <span className="push" />
        {before !== null && after !== null && (
          <Segmented
            label="Version"
            segments={[
              { id: 'deletions', label: 'Before' },
              { id: 'additions', label: 'After' },
            ]}
            selected={side}
            onSelect={setSide}
          />
        )}
      </div>
      <PaneScroll label="Whole file" key={side}>
        <FileLines
          path={file.shown}
          content={isAfter ? after : before}
          runs={runs}
          goal={at?.side === side ? at.line : null}
          onPress={showStep}
          onPoint={setLine}
        />
      </PaneScroll>
      <WritersFoot runs={runs} line={line} />
    </div>
  )
}

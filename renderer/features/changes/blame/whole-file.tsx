import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { BlobText } from '../../../../shared/api/changes/changes.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { writerOf } from '../../../../shared/api/changes/blame.ts'
import { showEntry } from '../../../state/commands/actions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { useBlame } from '../../../state/hooks/changes/use-blame.ts'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import type { LinePlace } from '../../../ui/diff/compare/compute-diff.ts'
import { LazyPart, useLazyPart } from '../../../ui/hooks/use-lazy-part.ts'
import { runOf, type WriterRun } from '../../../ui/diff/whole/writer-gutter.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { PaneScroll } from '../../../ui/frame/panes/pane.tsx'
import { ErrorBoundary } from '../../../ui/notices/error-boundary.tsx'
import { type ReviewFile, sidesOf, type Versions } from '../review-files.ts'
import type { Review } from '../use-review.ts'
import styles from './whole-file.module.css'
import { WRITER_KINDS, writerRuns } from './writer-runs.ts'

export interface WholeFileProps {
  readonly sessionId: SessionId
  readonly file: ReviewFile
  readonly review: Pick<Review, 'onHunks' | 'whole'>
  readonly versions: Versions
  readonly before: BlobText | null
  readonly after: BlobText | null
}

const drawing = new LazyPart(() => import('../../../ui/diff/whole/code-file.tsx'))

const NO_RUNS: readonly WriterRun[] = []

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
  const text = isAfter ? after : before
  const pointed = line === null ? undefined : runOf(runs, line)
  return (
    <div className={styles.view} role="group" aria-label={`Whole file ${file.shown}`}>
      <div className={styles.head}>
        <span className={styles.state} role="status">
          {isProposed && 'This version is only proposed.'}
          {!isProposed && (trouble ? `${trouble.what} ${trouble.todo}` : blame ? linesOf(blame.lines) : 'Tracing who wrote the lines…')}
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
        <Lines path={file.shown} text={text} runs={runs} goal={at?.side === side ? at.line : null} onPress={showStep} onPoint={setLine} />
      </PaneScroll>
      <div className={styles.foot}>
        <Legend runs={runs} />
        {line !== null && pointed && <span className={styles.pointed}>{`line ${line}: ${pointed.details}`}</span>}
      </div>
    </div>
  )
}

const linesOf = (count: number): string => (count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`)

interface LinesProps {
  readonly path: string
  readonly text: BlobText | null
  readonly runs: readonly WriterRun[]
  readonly goal: number | null
  readonly onPress: (line: number) => void
  readonly onPoint: (line: number) => void
}

function Lines({ text, ...drawn }: LinesProps): ReactNode {
  const arrival = useLazyPart(drawing)
  if (text?.kind !== 'text') return <p className={styles.words}>{notLines(text)}</p>
  if (text.text === '') return <p className={styles.words}>The file is empty.</p>
  if (arrival.kind === 'failed')
    return (
      <p className={styles.words}>
        The file viewer could not be loaded: {arrival.message}{' '}
        <Button small onPress={arrival.retry}>
          Fetch it again
        </Button>
      </p>
    )
  if (arrival.kind === 'coming') return <p className={styles.words}>Reading the lines…</p>
  const { CodeFile } = arrival.value
  return (
    <ErrorBoundary isFrameless what="The file">
      <CodeFile {...drawn} text={text.text} />
    </ErrorBoundary>
  )
}

function notLines(text: Exclude<BlobText, { kind: 'text' }> | null): string {
  switch (text?.kind) {
    case 'binary':
      return 'This file is not text, so it has no lines.'
    case 'too_large':
      return 'The file is too large to be shown as lines.'
    default:
      return 'The content of this file is not stored here.'
  }
}

/** The kinds of writers in this file, with the bars that stand for them. */
function Legend({ runs }: { readonly runs: readonly WriterRun[] }): ReactNode {
  const there = new Set(runs.map(({ kind }) => kind))
  if (there.size === 0) return null
  return (
    <>
      <span>Written by</span>
      <ul className={styles.legend} aria-label="Who wrote the lines">
        {WRITER_KINDS.filter(([kind]) => there.has(kind)).map(([kind, words]) => (
          <li key={kind}>
            <span className={styles.swatch} style={{ background: `var(--by-${kind})` }} />
            {words}
          </li>
        ))}
      </ul>
    </>
  )
}

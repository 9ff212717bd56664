import type { ReactNode } from 'react'
import type { BlobText } from '../../../shared/api/changes/changes.ts'
import { Button } from '../../ui/controls/button.tsx'
import { LazyPart, useLazyPart } from '../../ui/hooks/use-lazy-part.ts'
import type { CodeFileProps } from '../../ui/diff/whole/code-file.tsx'
import { runOf, type WriterRun } from '../../ui/diff/whole/writer-gutter.ts'
import { ErrorBoundary } from '../../ui/notices/error-boundary.tsx'
import styles from './file-lines.module.css'
import { WRITER_KINDS } from './writer-runs.ts'

const drawing = new LazyPart(() => import('../../ui/diff/whole/code-file.tsx'))

export const NO_RUNS: readonly WriterRun[] = []

/** Class of the element around the lines and their foot. Defines the bar of each kind of writer. */
export const writersClass = styles.view

export interface FileLinesProps extends Omit<CodeFileProps, 'text'> {
  readonly content: BlobText | null
}

/** The lines of a complete file, or a sentence about why there are none. */
export function FileLines({ content, ...drawn }: FileLinesProps): ReactNode {
  const arrival = useLazyPart(drawing)
  if (content?.kind !== 'text') return <p className={styles.words}>{notLines(content)}</p>
  if (content.text === '') return <p className={styles.words}>The file is empty.</p>
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
      <CodeFile {...drawn} text={content.text} />
    </ErrorBoundary>
  )
}

function notLines(content: Exclude<BlobText, { kind: 'text' }> | null): string {
  switch (content?.kind) {
    case 'binary':
      return 'This file is not text, so it has no lines.'
    case 'too_large':
      return 'The file is too large to be shown as lines.'
    default:
      return 'The content of this file is not stored here.'
  }
}

export const linesInWords = (count: number): string => (count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`)

interface WritersFootProps {
  readonly runs: readonly WriterRun[]
  /** The line whose writer is named. Null for none. */
  readonly line: number | null
}

/** Below the lines: a legend of the kinds of writers, and the writer of the line under the pointer. */
export function WritersFoot({ runs, line }: WritersFootProps): ReactNode {
  const there = new Set(runs.map(({ kind }) => kind))
  const pointed = line === null ? undefined : runOf(runs, line)
  return (
    <div className={styles.foot}>
      {there.size > 0 && (
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
      )}
      {line !== null && pointed && <span className={styles.pointed}>{`line ${line}: ${pointed.details}`}</span>}
    </div>
  )
}

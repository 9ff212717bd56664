import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { BlobText } from '../../../shared/api/changes/changes.ts'
import { Button } from '../controls/button.tsx'
import { LazyPart, useLazyPart } from '../hooks/use-lazy-part.ts'
import { ErrorBoundary } from '../notices/error-boundary.tsx'
import type { DiffLayout, LineAction, LineNote, SelectedLines } from './code-diff.tsx'
import type { ComputedDiff, HunkPlace } from './compare/compute-diff.ts'
import styles from './diff.module.css'
import { viewFile } from './file-words.ts'
import { picturesOf, PictureSides } from './pictures/picture-sides.tsx'
import { languageOf } from './colours/language-of.ts'

/** The code that compares and draws is large, so it is loaded when the first diff is shown. */
export const drawing = new LazyPart(() => import('./code-diff.tsx'))
export const comparing = new LazyPart(() => import('./compare/request-diff.ts'))

/** Loads the code for diffs while the window is idle, so that the first diff, in a tray that waits for a signature, is shown at once. */
export function prepareDiffs(): () => void {
  const idle = requestIdleCallback(() => {
    comparing.fetch()
    drawing.fetch()
  })
  return () => cancelIdleCallback(idle)
}

/** Facts about a diff, reported once they are known. */
export interface DiffSummary {
  readonly added: number
  readonly removed: number
  readonly hunks: readonly HunkPlace[]
}

export interface DiffViewProps {
  readonly path: string
  /** Null if the file does not exist on that side. */
  readonly before: BlobText | null
  readonly after: BlobText | null
  readonly layout: DiffLayout
  /** Index of the hunk that keys act on, scrolled into view when it changes. */
  readonly current?: number | null | undefined
  readonly onSummary?: ((summary: DiffSummary) => void) | undefined
  /** Whether lines that differ only in spaces and tabs count as unchanged. */
  readonly ignoresSpaces?: boolean | undefined
  readonly notes?: readonly LineNote[] | undefined
  readonly onSelect?: ((lines: SelectedLines | null) => void) | undefined
  readonly lineActions?: readonly LineAction[] | undefined
}

/** The exact difference of one file. What cannot be shown as lines is described in words. */
export function DiffView(props: DiffViewProps): ReactNode {
  const { path, before, after } = props
  const view = useMemo(() => viewFile(before, after), [before, after])
  const pictures = useMemo(() => picturesOf(path, before, after), [path, before, after])
  const sides = pictures && <PictureSides path={path} pictures={pictures} layout={props.layout} />
  const isBinary = before?.kind === 'binary' || after?.kind === 'binary'
  if (view.kind === 'words')
    return (
      <>
        {sides}
        {!(sides && isBinary) && <p className={styles.words}>{view.words}</p>}
      </>
    )
  if (props.ignoresSpaces === true && differsInSpacesOnly(view.before, view.after))
    return <p className={styles.words}>Only spaces and tabs differ. To see the lines, turn off “Ignore spaces and tabs”.</p>
  return (
    <>
      {sides}
      {view.fact !== null && <p className={styles.words}>{view.fact}</p>}
      <TextDiff key={path} {...props} before={view.before} after={view.after} />
    </>
  )
}

/** Whether the texts are equal once spaces and tabs are removed. */
function differsInSpacesOnly(before: string | null, after: string | null): boolean {
  const squeezed = (text: string): string => text.replaceAll(/[^\S\n]+/gu, '')
  return before !== null && after !== null && squeezed(before) === squeezed(after)
}

interface TextDiffProps extends Omit<DiffViewProps, 'before' | 'after'> {
  readonly before: string | null
  readonly after: string | null
}

function TextDiff({ path, before, after, current = null, onSummary, ignoresSpaces = false, ...drawn }: TextDiffProps): ReactNode {
  const computing = useComputedDiff(path, before, after, ignoresSpaces)
  const arrival = useLazyPart(drawing)
  const diff = computing.kind === 'done' ? computing.diff : null
  useEffect(() => {
    if (diff) onSummary?.(diff)
  }, [diff, onSummary])
  if (computing.kind === 'failed')
    return <Failed words={`The two versions could not be compared: ${computing.message}`} verb="Compare again" onRetry={computing.retry} />
  if (arrival.kind === 'failed')
    return <Failed words={`The diff viewer could not be loaded: ${arrival.message}`} verb="Fetch it again" onRetry={arrival.retry} />
  if (arrival.kind === 'coming' || diff === null)
    return (
      <p className={styles.words} data-undrawn>
        Comparing both versions…
      </p>
    )
  const { CodeDiff } = arrival.value
  return (
    <ErrorBoundary isFrameless what="The difference">
      <CodeDiff
        diff={diff}
        current={current}
        layout={drawn.layout}
        notes={drawn.notes}
        onSelect={drawn.onSelect}
        lineActions={drawn.lineActions}
      />
    </ErrorBoundary>
  )
}

interface FailedProps {
  readonly words: string
  readonly verb: string
  readonly onRetry: () => void
}

/** What could not be loaded or compared, with a button that tries again. */
export function Failed({ words, verb, onRetry }: FailedProps): ReactNode {
  return (
    <p className={styles.words} data-undrawn>
      {words}{' '}
      <Button small onPress={onRetry}>
        {verb}
      </Button>
    </p>
  )
}

type Computing =
  | { readonly kind: 'computing' }
  | { readonly kind: 'done'; readonly diff: ComputedDiff }
  | { readonly kind: 'failed'; readonly message: string; readonly retry: () => void }

interface Result {
  readonly before: string | null
  readonly after: string | null
  readonly ignoresSpaces: boolean
  readonly computing: Computing
}

/**
 * Computes the diff of two texts. A result for texts that were requested earlier is not returned, so that an outdated diff is never shown
 * as the current one.
 */
export function useComputedDiff(path: string, before: string | null, after: string | null, ignoresSpaces = false): Computing {
  const arrival = useLazyPart(comparing)
  const [result, setResult] = useState<Result | null>(null)
  const [attempt, setAttempt] = useState(0)
  const requestDiff = arrival.kind === 'here' ? arrival.value.requestDiff : null
  useEffect(() => {
    if (!requestDiff) return
    let current = true
    const retry = (): void => setAttempt(attempt + 1)
    const tell = (computing: Computing): void => {
      if (current) setResult({ before, after, ignoresSpaces, computing })
    }
    requestDiff({ path, before, after, language: languageOf(path) ?? 'text', ignoresSpaces }).then(
      (diff) => tell({ kind: 'done', diff }),
      (error: unknown) => tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error), retry }),
    )
    return () => {
      current = false
    }
  }, [requestDiff, path, before, after, ignoresSpaces, attempt])
  if (arrival.kind === 'failed') return arrival
  return result?.before === before && result.after === after && result.ignoresSpaces === ignoresSpaces
    ? result.computing
    : { kind: 'computing' }
}

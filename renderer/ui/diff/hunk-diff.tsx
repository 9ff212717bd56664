import { type ReactNode, useMemo } from 'react'
import { useLazyPart } from '../hooks/use-lazy-part.ts'
import { ErrorBoundary } from '../notices/error-boundary.tsx'
import type { CodeDiffProps } from './code-diff.tsx'
import { languageOf } from './colours/language-of.ts'
import styles from './diff.module.css'
import { comparing, drawing, Failed } from './diff-view.tsx'

export interface HunkDiffProps extends Pick<CodeDiffProps, 'notes' | 'lineActions'> {
  readonly path: string
  /** The hunk in the unified format. Empty if its lines are unchanged. */
  readonly patch: string
}

/** The lines of one hunk with the unchanged lines around it. */
export function HunkDiff({ path, patch, ...lines }: HunkDiffProps): ReactNode {
  const drawn = useLazyPart(drawing)
  const compared = useLazyPart(comparing)
  const hunkFile = compared.kind === 'here' ? compared.value.hunkFile : null
  const fileDiff = useMemo(
    () => (patch === '' ? null : (hunkFile?.(path, languageOf(path) ?? 'text', patch) ?? null)),
    [hunkFile, path, patch],
  )
  const diff = useMemo(() => fileDiff && { fileDiff, hunks: [] }, [fileDiff])
  const failure = drawn.kind === 'failed' ? drawn : compared.kind === 'failed' ? compared : null
  if (failure)
    return <Failed words={`The diff viewer could not be loaded: ${failure.message}`} verb="Fetch it again" onRetry={failure.retry} />
  if (drawn.kind !== 'here' || hunkFile === null)
    return (
      <p className={styles.words} data-undrawn>
        Reading the lines…
      </p>
    )
  if (diff === null) return <p className={styles.words}>These lines are unchanged.</p>
  const { CodeDiff } = drawn.value
  return (
    <ErrorBoundary isFrameless what="The difference">
      <CodeDiff diff={diff} layout="stacked" current={null} {...lines} />
    </ErrorBoundary>
  )
}

/** Adds `by` to the line number at which the proposed lines of a hunk start. */
export function shiftedPatch(patch: string, by: number): string {
  return patch.replace(/^@@ -\S+ \+(\d+)/u, (start, from: string) => `${start.slice(0, -from.length)}${Number(from) + by}`)
}

/** The removed lines of a hunk with the lines above them, without the proposed lines. */
export function removedPart(patch: string): string {
  const [head = '', ...lines] = patch.replace(/\n$/, '').split('\n')
  const kept = lines.slice(0, lines.findLastIndex((line) => line.startsWith('-')) + 1)
  const above = kept.filter((line) => line.startsWith(' ')).length
  const newHead = head.replace(
    /-(\d+)(?:,\d+)? \+(\d+)(?:,\d+)?/u,
    (_, from: string, to: string) => `-${from},${kept.length} +${to},${above}`,
  )
  return [newHead, ...kept, ''].join('\n')
}

import type { FileDiff as DrawnFileDiff, PostRenderPhase, SelectedLineRange, VirtualFileMetrics, Virtualizer } from '@pierre/diffs'
import { FileDiff, VirtualizerContext, WorkerPoolContext } from '@pierre/diffs/react'
import { type MouseEvent, type ReactNode, type RefCallback, useCallback, useEffect, useMemo, useState } from 'react'
import { afterRelease, PointerMenu } from '../controls/pointer-menu.tsx'
import { giveStylesTheNonce } from '../style-nonce.ts'
import type { ComputedDiff, LinePlace } from './compare/compute-diff.ts'
import { diffPositions } from './diff-positions.ts'
import { decorateDiff } from './decorate-diff.ts'
import { DIFF_CSS } from './diff-css.ts'
import styles from './diff.module.css'
import { highlighterPool, MAX_HIGHLIGHTED_LINES } from './colours/highlighter.ts'
import { HunkFollower } from './hunk-follower.ts'
import { releaseVirtualizer, scrollRootOf, takeVirtualizer } from './scroll-root.ts'
import { SYNTAX_THEME } from './colours/syntax-theme.ts'

giveStylesTheNonce()

export type DiffLayout = 'stacked' | 'split'

export interface CodeDiffProps {
  readonly diff: Pick<ComputedDiff, 'fileDiff' | 'hunks'>
  readonly layout: DiffLayout
  /** Index of the hunk that keys act on: scrolled into view, with a bar in the margin. Null for none. */
  readonly current: number | null
  /** Notes below lines: comments, and the field for a new comment. */
  readonly notes?: readonly LineNote[] | undefined
  /**
   * Called with the lines that the user selected in the column of line numbers, and with null when no lines are selected any longer. If
   * left out, lines cannot be selected.
   */
  readonly onSelect?: ((lines: SelectedLines | null) => void) | undefined
  /** The menu of a line, opened with the secondary pointer button. If left out, the browser's own menu opens. */
  readonly lineActions?: readonly LineAction[] | undefined
}

export interface LineAction {
  readonly label: string
  /** A key that runs the same action. Null if there is none. */
  readonly keys: string | null
  readonly run: (line: PointedLine) => void
}

/** The line that a menu was opened on. */
export interface PointedLine extends LinePlace {
  /** The line's number in the older version. Null for an added line. */
  readonly before: number | null
}

/** A note below a line. */
export interface LineNote extends LinePlace {
  readonly id: string
  readonly node: ReactNode
  /** Whether the note is scrolled into view when it appears. */
  readonly shown?: boolean | undefined
}

/** A range of lines on one side, counted from 1, with the last line included. */
export interface SelectedLines {
  readonly side: LinePlace['side']
  readonly from: number
  readonly to: number
}

const NO_NOTES: readonly LineNote[] = []

/** The lines of a diff, drawn by the library. Only lines near the visible part are in the page. */
export function CodeDiff({ diff, layout, current, notes = NO_NOTES, onSelect, lineActions }: CodeDiffProps): ReactNode {
  const menu = useLineMenu(lineActions)
  const { placed, place } = usePlace()
  // A request can be signed only once its lines are drawn (`use-signing.ts`).
  const [isDrawn, setDrawn] = useState(false)
  const [follower] = useState(() => new HunkFollower())
  const takeBar = useCallback((bar: HTMLElement | null) => follower.takeBar(bar), [follower])
  const hunk = current === null ? null : (diff.hunks[current] ?? null)
  useEffect(() => follower.goTo(hunk), [follower, hunk])
  const goal = notes.find(({ shown }) => shown)
  const goalLine = goal?.line ?? null
  const goalSide = goal?.side ?? 'additions'
  useEffect(() => {
    if (goalLine !== null) follower.bring({ line: goalLine, side: goalSide })
  }, [follower, goalLine, goalSide])
  const options = useMemo(
    () =>
      ({
        theme: SYNTAX_THEME,
        preferredHighlighter: 'shiki-js',
        tokenizeMaxLength: MAX_HIGHLIGHTED_LINES,
        diffStyle: layout === 'split' ? 'split' : 'unified',
        diffIndicators: 'classic',
        hunkSeparators: 'line-info-basic',
        lineDiffType: 'word-alt',
        overflow: 'wrap',
        expansionLineCount: 20,
        collapsedContextThreshold: 1,
        disableFileHeader: true,
        enableLineSelection: onSelect !== undefined,
        onLineSelectionEnd: (range: SelectedLineRange | null) => onSelect?.(range && linesOf(range)),
        unsafeCSS: DIFF_CSS,
        onPostRender: (node: HTMLElement, instance: DrawnFileDiff<LineNote>, phase: PostRenderPhase) => {
          if (phase === 'unmount') return
          decorateDiff(node)
          setDrawn(true)
          follower.drawn(diffPositions(node, instance))
        },
      }) as const,
    [layout, follower, onSelect],
  )
  const annotations = useMemo(() => notes.map((note) => ({ side: note.side, lineNumber: note.line, metadata: note })), [notes])
  return (
    <div ref={place} className={styles.code} onContextMenu={menu.onContextMenu} data-undrawn={isDrawn ? undefined : ''}>
      {menu.node}
      <div ref={takeBar} className={styles.current} data-current-hunk hidden />
      {placed && (
        <WorkerPoolContext value={highlighterPool()}>
          <VirtualizerContext value={placed.virtualizer}>
            <FileDiff<LineNote>
              fileDiff={diff.fileDiff}
              options={options}
              metrics={placed.metrics}
              lineAnnotations={annotations}
              renderAnnotation={drawNote}
            />
          </VirtualizerContext>
        </WorkerPoolContext>
      )}
    </div>
  )
}

/** The menu of the line under the pointer. */
function useLineMenu(actions: readonly LineAction[] | undefined): {
  readonly node: ReactNode
  readonly onContextMenu: ((event: MouseEvent<HTMLElement>) => void) | undefined
} {
  const [at, setAt] = useState<{ readonly line: PointedLine; readonly x: number; readonly y: number } | null>(null)
  if (!actions) return { node: null, onContextMenu: undefined }
  return {
    node: at && (
      <PointerMenu
        key={`${at.x} ${at.y}`}
        label={`Line ${at.line.line}`}
        {...at}
        entries={actions.map(({ label, keys, run }) => ({
          kind: 'item',
          id: label,
          label,
          keys: keys ?? undefined,
          onSelect: () => run(at.line),
        }))}
        onClose={() => setAt(null)}
      />
    ),
    onContextMenu(event) {
      const line = lineUnder(event.nativeEvent)
      if (!line) return
      event.preventDefault()
      const { clientX: x, clientY: y } = event
      afterRelease(event, () => setAt({ line, x, y }))
    },
  }
}

/** The line that an event happened on. The library draws lines in a shadow root, and their elements have the line numbers as attributes. */
function lineUnder(event: Event): PointedLine | null {
  const path = event.composedPath().filter((one) => one instanceof HTMLElement)
  const row = path.find(({ dataset }) => dataset['lineType'] !== undefined)
  const code = path.find(({ dataset }) => dataset['code'] !== undefined)
  const number = Number(row?.dataset['line'] ?? row?.dataset['columnNumber'])
  if (!row || !code || !(number > 0)) return null
  const isOld = code.dataset['deletions'] !== undefined || row.dataset['lineType'] === 'change-deletion'
  if (isOld) return { side: 'deletions', line: number, before: number }
  // The pointer may be on the number in the margin, which is a separate element, so the old number is read from the line's row.
  const unchanged = code.querySelector<HTMLElement>(`[data-line="${number}"][data-alt-line]`)
  return { side: 'additions', line: number, before: Number(unchanged?.dataset['altLine']) || null }
}

const drawNote = ({ metadata }: { readonly metadata: LineNote }): ReactNode => metadata.node

/** The selected lines. A selection that begins on one side and ends on the other belongs to the side where it ends. */
function linesOf({ start, end, side, endSide }: SelectedLineRange): SelectedLines {
  const last = endSide ?? side ?? 'additions'
  const first = side === last ? start : end
  return { side: last, from: Math.min(first, end), to: Math.max(first, end) }
}

interface Placed {
  readonly virtualizer: Virtualizer | undefined
  readonly metrics: VirtualFileMetrics
}

/**
 * Returns what a diff must know about its place in the page: the scrolling element that contains it, and its row heights. Null until its
 * element is in the page.
 */
export function usePlace(): { readonly placed: Placed | null; readonly place: RefCallback<HTMLElement> } {
  const [placed, setPlaced] = useState<Placed | null>(null)
  const place = useCallback((element: HTMLElement) => {
    const root = scrollRootOf(element)
    setPlaced({ virtualizer: root ? takeVirtualizer(root, element) : undefined, metrics: metricsOf(element) })
    return () => {
      setPlaced(null)
      if (root) releaseVirtualizer(root)
    }
  }, [])
  return { placed, place }
}

/** Estimated heights in pixels, used until the rows are measured. They depend on the text size. */
function metricsOf(element: HTMLElement): VirtualFileMetrics {
  const style = getComputedStyle(element)
  return {
    hunkLineCount: 10,
    lineHeight: Number.parseFloat(style.lineHeight),
    diffHeaderHeight: 0,
    hunkSeparatorHeight: Math.round(24 * Number.parseFloat(style.getPropertyValue('--k') || '1')),
    spacing: 0,
  }
}

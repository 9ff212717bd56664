import type { File as DrawnFile, PostRenderPhase, SelectedLineRange } from '@pierre/diffs'
import { File, VirtualizerContext, WorkerPoolContext } from '@pierre/diffs/react'
import { type ReactNode, type SyntheticEvent, useCallback, useEffect, useMemo, useRef } from 'react'
import { highlighterPool, MAX_HIGHLIGHTED_LINES } from '../colours/highlighter.ts'
import { languageOf } from '../colours/language-of.ts'
import { SYNTAX_THEME } from '../colours/syntax-theme.ts'
import { fingerprint } from '../compare/compute-diff.ts'
import { usePlace } from '../code-diff.tsx'
import { decorateDiff } from '../decorate-diff.ts'
import { DIFF_CSS } from '../diff-css.ts'
import { scrollRootOf } from '../scroll-root.ts'
import styles from '../diff.module.css'
import { FOUND_CSS, type FoundPlaces, markPlaces } from './found-places.ts'
import { decorateWriters, WRITERS_CSS, type WriterRun } from './writer-gutter.ts'

export interface CodeFileProps {
  readonly path: string
  readonly text: string
  /** The writers of the lines. Empty if they are not known. */
  readonly runs: readonly WriterRun[]
  /** The line to scroll to. Null for the first line. */
  readonly goal: number | null
  /** Called when the writer label beside a line is pressed. */
  readonly onPress: (line: number) => void
  /** Called with the line under the pointer, or with the focused line. */
  readonly onPoint: (line: number) => void
  /** The places to mark. Null for none. */
  readonly found?: FoundPlaces | null | undefined
  /**
   * Called with the lines that the user selected in the column of line numbers, and with null when no lines are selected any longer. If
   * left out, lines cannot be selected.
   */
  readonly onSelect?: ((lines: LineRange | null) => void) | undefined
}

/** Lines from the first to the last, counted from 1. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/** Maximum number of corrections of the scroll position after a jump. They are needed because rows that wrap are taller than estimated. */
const CORRECTIONS = 4

/** A complete file with the writer of each line, drawn by the library. Only lines near the visible part are in the page. */
export function CodeFile({ path, text, runs, goal, onPress, onPoint, found = null, onSelect }: CodeFileProps): ReactNode {
  const { placed, place } = usePlace()
  const host = useRef<HTMLElement | null>(null)
  const newest = useRef(runs)
  const marked = useRef(found)
  const drawn = useRef<DrawnFile | null>(null)
  const sought = useRef(goal)
  const left = useRef(goal === null ? 0 : CORRECTIONS)
  useEffect(() => {
    newest.current = runs
    if (host.current) decorateWriters(host.current, runs)
  }, [runs])
  useEffect(() => {
    marked.current = found
    if (host.current) markPlaces(host.current, found)
    return () => {
      if (host.current) markPlaces(host.current, null)
    }
  }, [found])
  useEffect(() => {
    if (sought.current === goal) return
    sought.current = goal
    left.current = goal === null ? 0 : CORRECTIONS
    if (goal !== null && host.current && drawn.current) scrollTo(host.current, drawn.current, goal)
  }, [goal])
  const file = useMemo(() => {
    const lang = languageOf(path) ?? 'text'
    return { name: path, contents: text, lang, cacheKey: `${lang}:${fingerprint(text)}` } as const
  }, [path, text])
  const onPostRender = useCallback((node: HTMLElement, instance: DrawnFile, phase: PostRenderPhase) => {
    if (phase === 'unmount') return
    host.current = node
    drawn.current = instance
    decorateDiff(node)
    decorateWriters(node, newest.current)
    if (marked.current) markPlaces(node, marked.current)
    if (sought.current === null || left.current === 0) return
    left.current = scrollTo(node, instance, sought.current) ? left.current - 1 : 0
  }, [])
  const options = useMemo(
    () =>
      ({
        theme: SYNTAX_THEME,
        preferredHighlighter: 'shiki-js',
        tokenizeMaxLength: MAX_HIGHLIGHTED_LINES,
        overflow: 'wrap',
        disableFileHeader: true,
        unsafeCSS: DIFF_CSS + WRITERS_CSS + FOUND_CSS,
        enableLineSelection: onSelect !== undefined,
        onLineSelectionEnd: (range: SelectedLineRange | null) =>
          onSelect?.(range && { from: Math.min(range.start, range.end), to: Math.max(range.start, range.end) }),
        onPostRender,
      }) as const,
    [onPostRender, onSelect],
  )
  const selected = useMemo(() => (goal === null ? null : { start: goal, end: goal }), [goal])
  const point = (event: SyntheticEvent): void => {
    const line = lineUnder(event.nativeEvent)
    if (line !== null) onPoint(line)
  }
  const press = (event: SyntheticEvent): void => {
    const words = pathOf(event.nativeEvent).find((one) => one.dataset['byWords'] !== undefined)
    if (words instanceof HTMLButtonElement) onPress(Number(words.dataset['at']))
  }
  return (
    // Pointer moves and key presses are handled here, because nothing outside the shadow root of the lines learns which element inside it
    // is entered or focused.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles the buttons in the lines
    <div ref={place} className={styles.code} onPointerMove={point} onKeyUp={point} onClick={press}>
      {placed && (
        <WorkerPoolContext value={highlighterPool()}>
          <VirtualizerContext value={placed.virtualizer}>
            <File file={file} options={options} metrics={placed.metrics} selectedLines={selected} />
          </VirtualizerContext>
        </WorkerPoolContext>
      )}
    </div>
  )
}

const pathOf = (event: Event): readonly HTMLElement[] => event.composedPath().filter((one) => one instanceof HTMLElement)

function lineUnder(event: Event): number | null {
  const row = pathOf(event).find(({ dataset }) => dataset['lineIndex'] !== undefined)
  const line = Number(row?.dataset['line'] ?? row?.dataset['columnNumber'])
  return line > 0 ? line : null
}

/** Scrolls a line to the middle. Returns false if the position would not change. */
function scrollTo(node: HTMLElement, instance: DrawnFile, line: number): boolean {
  const root = scrollRootOf(node)
  const drawn = node.shadowRoot?.querySelector(`[data-line="${line}"]`)?.getBoundingClientRect()
  const known = 'getLinePosition' in instance ? (instance as DrawnFile & PlacedLines).getLinePosition(line) : undefined
  const top = drawn ? drawn.top - node.getBoundingClientRect().top : known?.top
  if (!root || top === undefined) return false
  const offset = node.getBoundingClientRect().top - root.getBoundingClientRect().top + root.scrollTop
  const wanted = Math.min(Math.max(0, Math.round(offset + top - root.clientHeight / 2)), root.scrollHeight - root.clientHeight)
  if (Math.abs(root.scrollTop - wanted) < 2) return false
  root.scrollTop = wanted
  return true
}

interface PlacedLines {
  getLinePosition(line: number): { readonly top: number; readonly height: number } | undefined
}

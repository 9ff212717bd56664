import type { FileDiff } from '@pierre/diffs'
import type { HunkPlace, LinePlace } from './compare/compute-diff.ts'
import { scrollRootOf } from './scroll-root.ts'

/** The parts of the drawn diff that are needed to find positions. */
export interface DiffPositions {
  readonly node: HTMLElement
  readonly getLinePosition: (line: number, side: LinePlace['side']) => { readonly top: number; readonly height: number } | undefined
}

/** Vertical position of a hunk's rows, in pixels from the top of the diff. Null if it is not known. */
export function hunkSpan(drawn: DiffPositions, hunk: HunkPlace): { readonly top: number; readonly height: number } | null {
  const first = drawn.getLinePosition(hunk.first.line, hunk.first.side)
  const last = drawn.getLinePosition(hunk.last.line, hunk.last.side)
  return first && last ? { top: first.top, height: Math.max(first.height, last.top + last.height - first.top) } : null
}

/** Space in pixels above a hunk after a jump: enough for its unchanged lines and a little more. */
const ABOVE = 72

/** Scrolls to a hunk. Returns false if the position would not change. */
export function scrollToHunk(drawn: DiffPositions, hunk: HunkPlace): boolean {
  const root = scrollRootOf(drawn.node)
  const span = hunkSpan(drawn, hunk)
  if (!root || !span) return false
  const offset = drawn.node.getBoundingClientRect().top - root.getBoundingClientRect().top + root.scrollTop
  const wanted = Math.min(Math.max(0, Math.round(offset + span.top - ABOVE)), root.scrollHeight - root.clientHeight)
  if (Math.abs(root.scrollTop - wanted) < 2) return false
  root.scrollTop = wanted
  return true
}

/** Space in pixels below a line, for the note under it. */
const BELOW = 160

/** Scrolls as far as needed to show a line with some space below it. */
export function bringLine(drawn: DiffPositions, { line, side }: LinePlace): void {
  const root = scrollRootOf(drawn.node)
  const place = drawn.getLinePosition(line, side)
  if (!root || !place) return
  const top = drawn.node.getBoundingClientRect().top - root.getBoundingClientRect().top + place.top
  const bottom = top + place.height + BELOW
  if (top < 0) root.scrollTop += top
  else if (bottom > root.clientHeight) root.scrollTop += bottom - root.clientHeight
}

/**
 * Finds positions in a drawn diff. The component reports positions only if it draws just a part of its lines. Without an element that
 * scrolls, it draws all lines, so positions are read from the page.
 */
export function diffPositions<A>(node: HTMLElement, instance: FileDiff<A>): DiffPositions {
  if (!hasPlaces(instance)) return { node, getLinePosition: (line, side) => placeInPage(node, line, side) }
  // Positions read from the page come first, because after a change of width the component learns only later that rows wrap differently.
  return { node, getLinePosition: (line, side) => placeInPage(node, line, side) ?? instance.getLinePosition(line, side) }
}

function hasPlaces<A>(instance: FileDiff<A>): instance is FileDiff<A> & Pick<DiffPositions, 'getLinePosition'> {
  return 'getLinePosition' in instance
}

function placeInPage(
  node: HTMLElement,
  line: number,
  side: LinePlace['side'],
): { readonly top: number; readonly height: number } | undefined {
  const type = side === 'additions' ? 'change-addition' : 'change-deletion'
  const row = node.shadowRoot?.querySelector(`[data-line="${line}"][data-line-type="${type}"]`)
  const box = row?.getBoundingClientRect()
  return box && { top: box.top - node.getBoundingClientRect().top, height: box.height }
}

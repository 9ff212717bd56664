import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { type Anchored, anchorEnds, besideAnchors } from './anchored.ts'
import { type LineMatches, type MatchPass, PASSES } from './line-matches.ts'
import type { Hunk, HunkLine } from './patch-model.ts'

/** Where a hunk belongs, by 0-based lines of the file. */
export interface Place {
  readonly start: number
  /** The lines of the hunk that count: without the empty ones at its ends where they were only a gap. */
  readonly lines: readonly HunkLine[]
  readonly pass: MatchPass
  /** It lies before an earlier hunk's place. */
  readonly outOfOrder: boolean
  /** An anchor that is no line of the file, and without which there was only one place. */
  readonly missing: string | null
}

export type PlaceMiss =
  | { readonly kind: 'absent'; readonly sought: readonly string[] }
  /** Its lines stand only where an earlier hunk takes some of them out. */
  | { readonly kind: 'taken' }
  /** `lines`: 0-based lines of the places, none of which lies behind the anchors. */
  | { readonly kind: 'elsewhere'; readonly lines: readonly number[] }
  /** `lines`: 0-based lines of the places that such an anchor does not tell apart. */
  | { readonly kind: 'anchor'; readonly anchor: string; readonly lines: readonly number[] }
  /** Additions that nothing but the numbers of a unified diff places. */
  | { readonly kind: 'numbers' }
  /** 0-based lines of the candidates. `loose`: none of them is exact. */
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[]; readonly loose: boolean }

/** The file as the hunks see it: a final newline makes a last line that is empty. */
export interface Ground {
  readonly lines: readonly string[]
  readonly matches: LineMatches
  /** Behind the hunk before: the search begins here. */
  readonly from: number
  /** Where the hunk before begins. */
  readonly last: number
  /** Whether lines are taken out by another hunk; context may be named twice. */
  isTaken(start: number, end: number): boolean
}

/**
 * Finds the one place that a hunk can mean: behind the hunk before in each pass from exact to loose, then anywhere. Several exact
 * places are told apart by anchors or the end of the file, several loose ones by nothing. An anchor that is no line of the file tells nothing
 * apart; where there is only one place it is passed over.
 */
export function placeHunk(hunk: Hunk, ground: Ground): Result<Place, PlaceMiss> {
  const anchored = anchorEnds(hunk.anchors, ground.matches)
  const placed = placeLines(hunk, hunk.lines, anchored, ground)
  if (!isNowhere(placed)) return placed
  const first = hunk.lines.findIndex((line) => !line.isBare)
  const last = hunk.lines.findLastIndex((line) => !line.isBare)
  for (const solid of [hunk.lines.slice(0, last + 1), hunk.lines.slice(first), hunk.lines.slice(first, last + 1)]) {
    const again = solid.length === hunk.lines.length ? placed : placeLines(hunk, solid, anchored, ground)
    if (!isNowhere(again)) return again
  }
  return withoutLastBlank(hunk, anchored, ground) ?? placed
}

function isNowhere(placed: Result<Place, PlaceMiss>): boolean {
  return !placed.ok && ['absent', 'taken', 'elsewhere'].includes(placed.failure.kind)
}

/** An empty line of context that ends a hunk may stand for the final newline, also where the file has none. */
function withoutLastBlank(hunk: Hunk, anchored: Anchored, ground: Ground): Result<Place, PlaceMiss> | null {
  const last = hunk.lines.at(-1)
  if (last?.kind !== 'context' || last.text !== '' || ground.lines.at(-1) === '') return null
  const again = placeLines({ ...hunk, endOfFile: true }, hunk.lines.slice(0, -1), anchored, ground)
  return again.ok && again.value.start + soughtIn(again.value.lines).length === ground.lines.length ? again : null
}

function soughtIn(lines: readonly HunkLine[]): readonly string[] {
  return lines.flatMap(({ kind, text }) => (kind === 'add' ? [] : [text]))
}

function placeLines(hunk: Hunk, lines: readonly HunkLine[], anchored: Anchored, ground: Ground): Result<Place, PlaceMiss> {
  const { missing } = anchored
  const sought = soughtIn(lines)
  if (sought.length === 0) return placeAddition(hunk, lines, anchored, ground)
  const atEnd = hunk.endOfFile ? placeAtEnd(sought, ground) : null
  if (atEnd !== null) return ok({ ...atEnd, lines, outOfOrder: atEnd.start < ground.last, missing })
  for (const anywhere of [false, true]) {
    for (const pass of PASSES) {
      const starts = ground.matches
        .starts(sought, pass)
        .filter((start) => (anywhere ? !ground.isTaken(start, start + sought.length) : start >= ground.from))
      const possible = besideAnchors(starts, sought.length, anchored, pass)
      const [start] = possible
      if (possible.length > 1 && missing !== null) return failed({ kind: 'anchor', anchor: missing, lines: possible })
      if (possible.length > 1) return failed({ kind: 'ambiguous', lines: possible, loose: pass !== 'exact' })
      if (start !== undefined) return ok({ start, lines, pass, outOfOrder: start < ground.last, missing })
    }
  }
  return failed(whyNowhere(sought, anchored, ground))
}

function whyNowhere(sought: readonly string[], anchored: Anchored, { matches }: Ground): PlaceMiss {
  const found = PASSES.map((pass) => ({ pass, starts: matches.starts(sought, pass) })).find(({ starts }) => starts.length > 0)
  if (!found) return { kind: 'absent', sought }
  const beside = besideAnchors(found.starts, sought.length, anchored, found.pass)
  return beside.length > 0 ? { kind: 'taken' } : { kind: 'elsewhere', lines: found.starts }
}

/** Only one place is the end: a loose one there goes before an exact one elsewhere. */
function placeAtEnd(sought: readonly string[], { lines, matches, isTaken }: Ground): Pick<Place, 'start' | 'pass'> | null {
  for (const pass of PASSES) {
    const start = matches.starts(sought, pass).find((at) => isAtEnd(at + sought.length, lines) && !isTaken(at, at + sought.length))
    if (start !== undefined) return { start, pass }
  }
  return null
}

function isAtEnd(end: number, lines: readonly string[]): boolean {
  return end === lines.length || (end === lines.length - 1 && lines.at(-1) === '')
}

/** Directly below its anchor, without one at the end of the file. The heading of a unified diff is not that near, and its numbers are often wrong. */
function placeAddition(hunk: Hunk, lines: readonly HunkLine[], { ends, missing }: Anchored, ground: Ground): Result<Place, PlaceMiss> {
  const atEnd = ground.lines.at(-1) === '' ? ground.lines.length - 1 : ground.lines.length
  const there = { lines, pass: 'exact', outOfOrder: false, missing } as const
  if (hunk.endOfFile) return ok({ ...there, start: atEnd })
  if (missing !== null) return failed({ kind: 'anchor', anchor: missing, lines: [] })
  if (hunk.namedLine !== null && hunk.anchors.every(({ isHint }) => isHint)) {
    return hunk.namedLine >= atEnd ? ok({ ...there, start: atEnd }) : failed({ kind: 'numbers' })
  }
  if (ends === null) return ok({ ...there, start: atEnd })
  const ahead = ends.filter((end) => end + 1 >= ground.from)
  const possible = ahead.length > 0 ? ahead : ends
  const [end] = possible
  if (end === undefined || possible.length > 1) return failed({ kind: 'ambiguous', lines: possible, loose: false })
  return ok({ ...there, start: end + 1 })
}

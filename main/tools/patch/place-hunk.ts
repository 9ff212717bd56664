import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { type Anchored, anchorEnds, besideAnchors } from './hunk-anchors.ts'
import { type LineMatches, type MatchPass, PASSES } from './line-matches.ts'
import type { Hunk, HunkLine } from './patch-model.ts'

/** The place of a hunk, in 0-based lines of the file. */
export interface Place {
  readonly start: number
  /** The lines of the hunk, without empty lines at its ends that were only gaps. */
  readonly lines: readonly HunkLine[]
  readonly pass: MatchPass
  /** Whether the place is above that of an earlier hunk. */
  readonly outOfOrder: boolean
  /** An anchor that is not a line of the file. The hunk could be placed without it because there was only one place. */
  readonly missing: string | null
}

export type PlaceMiss =
  | { readonly kind: 'absent'; readonly sought: readonly string[] }
  /** The lines of the hunk exist only at a place where an earlier hunk removes some of them. */
  | { readonly kind: 'taken' }
  /** The hunk matches, but not below the anchors. `lines` contains the 0-based lines of the matches. */
  | { readonly kind: 'elsewhere'; readonly lines: readonly number[] }
  /**
   * The anchor does not exist in the file. `lines` contains the 0-based lines of the matches that the anchor should have decided between.
   */
  | { readonly kind: 'anchor'; readonly anchor: string; readonly lines: readonly number[] }
  /** The hunk consists only of additions, and only the line numbers of a unified diff say where they belong. */
  | { readonly kind: 'numbers' }
  /** The 0-based lines of the candidates. `loose` means that none of them is an exact match. */
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[]; readonly loose: boolean }

/** The file in which hunks are placed. After a final newline there is one additional, empty line. */
export interface Ground {
  readonly lines: readonly string[]
  readonly matches: LineMatches
  /** The line after the previous hunk, where the search begins. */
  readonly from: number
  /** The line at which the previous hunk begins. */
  readonly last: number
  /** Whether another hunk removes some of these lines. Several hunks may share context lines. */
  isTaken(start: number, end: number): boolean
}

/**
 * Finds the only place that a hunk can mean: first below the previous hunk, with each pass from exact to loose, and then anywhere.
 * Anchors or the end of the file decide between several exact matches. Several loose matches are ambiguous. An anchor that is not a line
 * of the file is ignored if there is only one match.
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

/** An empty context line at the end of a hunk may mean the final newline, even if the file has none. */
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

/** There is only one end of the file, so a loose match there takes precedence over an exact match elsewhere. */
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

/**
 * Places a hunk that consists only of additions: directly below its anchor or, without an anchor, at the end of the file. The heading of a
 * unified diff is not used, because it is too far above the added lines. Its line numbers are often wrong, so they are used only if they
 * point to the end of the file.
 */
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

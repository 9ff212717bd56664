import { type LineMatches, type MatchPass, PASSES } from './line-matches.ts'
import type { Anchor } from './patch-model.ts'

/** The places in the file that a hunk's anchors lead to. */
export interface Anchored {
  /** The last line of each place where the chain of anchors was found; null if there are no anchors. */
  readonly ends: readonly number[] | null
  /** The first anchor that was not found below any of the previous ones; null if all were found. */
  readonly missing: string | null
}

export function anchorEnds(anchors: readonly Anchor[], matches: LineMatches): Anchored {
  let ends: readonly number[] | null = null
  let missing: string | null = null
  for (const { text, isHint } of anchors) {
    const at = linesLike(text, matches)
    const below: readonly number[] | undefined = ends?.map((end) => end + 1)
    const next: readonly number[] = below ? firstFrom(below, at) : at
    if (next.length > 0) ends = next
    else if (!isHint) missing ??= text
  }
  return { ends, missing }
}

/**
 * Selects the matches that belong to the anchors: for exact matches, the first match after each place where the anchors were found; for
 * loose matches, or if an anchor is missing, all matches after the first such place. A match, which has `length` lines, may include the
 * line of the anchor itself.
 */
export function besideAnchors(starts: readonly number[], length: number, { ends, missing }: Anchored, pass: MatchPass): readonly number[] {
  if (ends === null) return starts
  const from = ends.map((end) => end - length + 1)
  return pass === 'exact' && missing === null ? firstFrom(from, starts) : starts.filter((start) => start >= (from[0] ?? 0))
}

/**
 * For each number in `from`, returns the first number in `lines` that is not smaller. Both lists are sorted, so one pass over them is
 * enough.
 */
function firstFrom(from: readonly number[], lines: readonly number[]): readonly number[] {
  const found: number[] = []
  let at = 0
  for (const least of from) {
    while (at < lines.length && (lines[at] ?? 0) < least) at++
    const line = lines[at]
    if (line !== undefined && found.at(-1) !== line) found.push(line)
  }
  return found
}

function linesLike(anchor: string, matches: LineMatches): readonly number[] {
  for (const pass of PASSES) {
    const found = matches.starts([anchor], pass)
    if (found.length > 0) return found
  }
  return matches.beginningWith(anchor)
}

import type { LineChange } from './line-diff.ts'

/** Number of unchanged lines around a change. */
export const CONTEXT = 3

/** Changes that are so close to each other that their context touches. */
export type Hunk = readonly [LineChange, ...LineChange[]]

/** Splits a text into lines with their line feeds, so that a last line without a line feed differs from the same line with one. */
export function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

export function hunksOf(changes: readonly LineChange[]): readonly Hunk[] {
  const hunks: [LineChange, ...LineChange[]][] = []
  for (const change of changes) {
    const last = hunks.at(-1)
    if (last && change.beforeStart - (last.at(-1)?.beforeEnd ?? 0) <= 2 * CONTEXT) last.push(change)
    else hunks.push([change])
  }
  return hunks
}

/** Numbers of unchanged lines that may be shown around a hunk, for example up to the next change. */
export interface Room {
  readonly above: number
  readonly below: number
}

/**
 * A hunk in the unified format, as lines without line feeds. Its `@@` line comes first. `before` and `after` are lines with their line
 * feeds. Without `room`, the context ends only at the ends of the file.
 */
export function unifiedHunk(hunk: Hunk, before: readonly string[], after: readonly string[], room?: Room): readonly string[] {
  const [first] = hunk
  const last = hunk.at(-1) ?? first
  const above = Math.min(CONTEXT, first.beforeStart, room?.above ?? CONTEXT)
  const below = Math.min(CONTEXT, before.length - last.beforeEnd, room?.below ?? CONTEXT)
  const from = first.beforeStart - above
  const to = last.beforeEnd + below
  const head = `@@ -${range(from, to)} +${range(first.afterStart - above, last.afterEnd + below)} @@`
  let at = from
  const parts = hunk.flatMap(({ beforeStart, beforeEnd, afterStart, afterEnd }) => {
    const unchanged = prefixed(' ', before, at, beforeStart)
    at = beforeEnd
    return [unchanged, prefixed('-', before, beforeStart, beforeEnd), prefixed('+', after, afterStart, afterEnd)]
  })
  // The parts are flattened instead of spread into arguments, because a hunk can have more lines than a call can have arguments.
  return [[head], ...parts, prefixed(' ', before, at, to)].flat()
}

/** Formats a line range. An empty range is written as the number of the line above it. */
function range(from: number, to: number): string {
  return `${to > from ? from + 1 : from},${to - from}`
}

function prefixed(sign: ' ' | '-' | '+', lines: readonly string[], from: number, to: number): readonly string[] {
  return lines
    .slice(from, to)
    .flatMap((line) => (line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file']))
}

/**
 * Differences between two runs of the same command that mean nothing: durations, process ids, addresses, names of temporary files. Counts
 * and positions in a file are kept because they show progress.
 */
const PASSING: readonly RegExp[] = [
  /\b\d+(?:[.,]\d+)? ?(?:ns|[µu]s|ms)\b/gu,
  /\b\d+[.,]\d+ ?(?:s|secs?|seconds?)\b/gu,
  /\bduration_ms:? \d+(?:\.\d+)?/gu,
  /\b(?:pid|PID)\b[ :=#]{0,3}\d+|\bprocess \d{3,}|\(node:\d+\)|\b\d+ +(?=Killed|Terminated|Aborted|Segmentation fault)/gu,
  /\b0x[0-9a-f]+\b/giu,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/giu,
  /\b(?:localhost|127\.0\.0\.1|\[::1\]):\d{5}\b/gu,
  /(?<=[\\/](?:tmp|T|Temp)[\\/])[^\s\\/:'"]+/gu,
]

/** Dates, times, and whole numbers of seconds or minutes. They may be all that changes when a call polls. */
const CLOCKS: readonly RegExp[] = [
  /\b\d{4}-\d\d-\d\d(?=\b|T)/gu,
  /(?<![\w:])T?\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:Z|(?![\w:]))/gu,
  /\b\d+ ?(?:s|secs?|seconds?|mins?|minutes?)\b/gu,
]

/** Characters compared at the beginning and at the end of an output. */
const MAX_KEPT_CHARS = { head: 2_000, tail: 8_000 } as const

/**
 * Returns the text without the parts that differ between two runs but mean nothing. With `clocks: 'kept'`, matches of `CLOCKS` are kept.
 */
function stableText(text: string, clocks: 'kept' | 'left out'): string {
  const patterns = clocks === 'kept' ? PASSING : [...PASSING, ...CLOCKS]
  return patterns.reduce((words, pattern) => words.replace(pattern, '#'), text)
}

/**
 * Returns the beginning and end of a long result, without differences that mean nothing, plus the number of lines. The rest is not
 * compared, so that the cost is bounded.
 */
export function stableSummary(text: string, clocks: 'kept' | 'left out'): string {
  if (text.length <= MAX_KEPT_CHARS.head + MAX_KEPT_CHARS.tail) return stableText(text, clocks)
  const head = text.slice(0, MAX_KEPT_CHARS.head)
  const tail = text.slice(-MAX_KEPT_CHARS.tail)
  return [stableText(head, clocks), linesIn(text), stableText(tail, clocks)].join('\n')
}

/** Returns the last `most` characters, without the parts that differ between two runs but mean nothing. */
export function stableTail(text: string, most: number): string {
  // Replacements can only shorten the text, so more than `most` characters are taken from its end.
  return stableText(text.slice(-4 * most), 'left out').slice(-most)
}

function linesIn(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

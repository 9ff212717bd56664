/**
 * What two runs of one and the same command write differently although nothing is different: how long they took, ids of processes,
 * addresses, names of temporary files. Counts and places in a file stay: they tell how far the work is.
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

/** What the clock says. To one who waits that may be all that moves. */
const CLOCKS: readonly RegExp[] = [
  /\b\d{4}-\d\d-\d\d(?=\b|T)/gu,
  /(?<![\w:])T?\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:Z|(?![\w:]))/gu,
  /\b\d+ ?(?:s|secs?|seconds?|mins?|minutes?)\b/gu,
]

/** Of an output, so many characters are judged at its beginning and so many at its end. */
const MOST = { head: 2_000, tail: 8_000 } as const

/** A result without what differs from run to run; `clocks: 'kept'`: times of day and whole seconds count. */
export function stableText(text: string, clocks: 'kept' | 'left out'): string {
  const patterns = clocks === 'kept' ? PASSING : [...PASSING, ...CLOCKS]
  return patterns.reduce((words, pattern) => words.replace(pattern, '#'), text)
}

/** The same of a long result's beginning and end, with the number of its lines: what it costs has a bound. */
export function stableSummary(text: string, clocks: 'kept' | 'left out'): string {
  if (text.length <= MOST.head + MOST.tail) return stableText(text, clocks)
  const [head, tail] = [text.slice(0, MOST.head), text.slice(-MOST.tail)]
  return [stableText(head, clocks), linesIn(text), stableText(tail, clocks)].join('\n')
}

/** Of the end of a result, at most `most` characters. */
export function stableTail(text: string, most: number): string {
  // What is left out makes words shorter, never longer.
  return stableText(text.slice(-4 * most), 'left out').slice(-most)
}

function linesIn(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

import type { Edited } from './edit-bytes.ts'
import { type TextForm, decodeText } from './encoding.ts'
import { lineEnd, lineFeedsBefore, lineStart } from './line-feeds.ts'

/** Places shown, and lines of each: enough to see that the edit did what was meant; the whole is in the desk. */
const PLACES = 5
const LINES_EACH = 40
const CONTEXT = 2

/** What an edit changed, as a model reads it best: whole lines with `-` and `+`, some context, and where. */
export function showEdits(before: Uint8Array, edited: Edited, form: TextForm): string {
  const { places, rest } = apart(before, edited.places, form)
  const shown = places.map((place) => showPlace(before, edited.bytes, place, form))
  return [...shown, ...(rest > 0 ? [`… and ${rest} more.`] : [])].join('\n')
}

type Place = Edited['places'][number]

/** The first places, those of one line as one; and how many replacements are left. */
function apart(before: Uint8Array, all: readonly Place[], form: TextForm): { readonly places: readonly Place[]; readonly rest: number } {
  const places: Place[] = []
  for (const [index, place] of all.entries()) {
    const last = places.at(-1)
    const isNear = last !== undefined && wholeLines(before, last.oldStart, last.oldEnd, form).end > place.oldStart
    if (isNear) places[places.length - 1] = { ...last, end: place.end, oldEnd: place.oldEnd }
    else if (places.length === PLACES) return { places, rest: all.length - index }
    else places.push(place)
  }
  return { places, rest: 0 }
}

function showPlace(before: Uint8Array, after: Uint8Array, place: Place, form: TextForm): string {
  const old = wholeLines(before, place.oldStart, place.oldEnd, form)
  const fresh = wholeLines(after, place.start, place.end, form)
  const [oldLines, freshLines] = [linesOf(before, old, form), linesOf(after, fresh, form)]
  const [head, tail] = sharedEnds(oldLines, freshLines)
  const above = contextAbove(after, fresh.start, form).concat(freshLines.slice(0, head)).slice(-CONTEXT)
  const below = freshLines
    .slice(freshLines.length - tail)
    .concat(contextBelow(after, fresh.end, form))
    .slice(0, CONTEXT)
  const line = lineFeedsBefore(after.subarray(form.bom), fresh.start - form.bom, form.encoding) + 1 + head
  return [
    `@@ line ${line} @@`,
    ...above.map((text) => ` ${text}`),
    ...shortened(oldLines.slice(0, oldLines.length - tail).slice(head), '-'),
    ...shortened(freshLines.slice(0, freshLines.length - tail).slice(head), '+'),
    ...below.map((text) => ` ${text}`),
  ].join('\n')
}

interface Span {
  readonly start: number
  readonly end: number
}

function wholeLines(bytes: Uint8Array, start: number, end: number, { bom, encoding }: TextForm): Span {
  const body = bytes.subarray(bom)
  const first = lineStart(body, start - bom, encoding)
  // Text that ends with its line break ends there; the next line is not part of it.
  const last = end > start && lineStart(body, end - bom, encoding) === end - bom ? end - bom : lineEnd(body, end - bom, encoding)
  return { start: bom + first, end: bom + Math.max(first, last) }
}

function linesOf(bytes: Uint8Array, { start, end }: Span, { encoding }: TextForm): readonly string[] {
  if (start === end) return []
  const lines = decodeText(bytes.subarray(start, end), encoding).split(/\r?\n/u)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function contextAbove(bytes: Uint8Array, end: number, form: TextForm): readonly string[] {
  let start = end
  for (let count = 0; count < CONTEXT && start > form.bom; count++) {
    start = form.bom + lineStart(bytes.subarray(form.bom), start - form.bom - 1, form.encoding)
  }
  return linesOf(bytes, { start, end }, form)
}

function contextBelow(bytes: Uint8Array, start: number, form: TextForm): readonly string[] {
  let end = start
  for (let count = 0; count < CONTEXT && end < bytes.length; count++)
    end = form.bom + lineEnd(bytes.subarray(form.bom), end - form.bom, form.encoding)
  return linesOf(bytes, { start, end }, form)
}

function sharedEnds(a: readonly string[], b: readonly string[]): readonly [number, number] {
  const most = Math.min(a.length, b.length)
  let head = 0
  while (head < most && a[head] === b[head]) head++
  let tail = 0
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  return [head, tail]
}

function shortened(lines: readonly string[], sign: '-' | '+'): readonly string[] {
  const shown = lines.slice(0, LINES_EACH).map((text) => `${sign}${text}`)
  return lines.length > LINES_EACH ? [...shown, `${sign}… ${lines.length - LINES_EACH} more lines`] : shown
}

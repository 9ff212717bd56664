import type { Passes } from '../../../shared/lib/passes.ts'
import type { Edited } from './edit-bytes.ts'
import { type TextForm, decodeText } from './encoding.ts'
import { lineEnd, lineFeedsBefore, lineStart } from './line-feeds.ts'

/** Maximum number of places that are shown, and of lines of each: enough to check the edit. The desk shows the complete edit. */
const PLACES = 5
const LINES_EACH = 40
const CONTEXT = 2
/** Maximum number of characters of a line, and of the part before the change. */
const LINE_CHARS = 400
const LINE_LEAD = 100

/**
 * Shows what an edit changed, in the form that a model reads best: complete lines with `-` and `+`, some context, and the line numbers.
 */
export function* showEdits(before: Uint8Array, edited: Edited, form: TextForm): Passes<string> {
  const { places, rest } = apart(before, edited.places, form)
  const shown: string[] = []
  for (const place of places) shown.push(yield* showPlace(before, edited.bytes, place, form))
  return [...shown, ...(rest > 0 ? [`… and ${rest} more.`] : [])].join('\n')
}

type Place = Edited['places'][number]

/** The first places, with all places of one line merged, and the number of replacements left out. */
function apart(before: Uint8Array, all: readonly Place[], form: TextForm): { readonly places: readonly Place[]; readonly rest: number } {
  const places: Place[] = []
  for (const [index, place] of all.entries()) {
    const last = places.at(-1)
    const isNear =
      last !== undefined && lineEnd(before.subarray(form.bom), last.oldEnd - form.bom, form.encoding) > place.oldStart - form.bom
    if (isNear) places[places.length - 1] = { ...last, end: place.end, oldEnd: place.oldEnd }
    else if (places.length === PLACES) return { places, rest: all.length - index }
    else places.push(place)
  }
  return { places, rest: 0 }
}

function* showPlace(before: Uint8Array, after: Uint8Array, place: Place, form: TextForm): Passes<string> {
  const isWhole = endsLine(before, place.oldEnd, form) && endsLine(after, place.end, form)
  const fresh = wholeLines(after, place.start, place.end, form, isWhole)
  const oldLines = linesOf(before, wholeLines(before, place.oldStart, place.oldEnd, form, isWhole), form)
  const freshLines = linesOf(after, fresh, form)
  const [head, tail] = sharedEnds(oldLines, freshLines)
  const above = contextAbove(after, fresh.start, form).concat(freshLines.slice(0, head)).slice(-CONTEXT)
  const below = freshLines.slice(freshLines.length - tail).concat(contextBelow(after, fresh.end, form))
  const line = (yield* lineFeedsBefore(after.subarray(form.bom), fresh.start - form.bom, form.encoding)) + 1 + head
  const removed = oldLines.slice(head, oldLines.length - tail)
  const added = freshLines.slice(head, freshLines.length - tail)
  const from = sharedStart(removed[0] ?? '', added[0] ?? '')
  return [
    `@@ line ${line} @@`,
    ...above.map((text) => ` ${shortLine(text, 0)}`),
    ...signed(removed, '-', from),
    ...signed(added, '+', from),
    ...below.slice(0, CONTEXT).map((text) => ` ${shortLine(text, 0)}`),
  ].join('\n')
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Whether a line begins at `at`, so that the bytes before `at` end with a complete line. */
function endsLine(bytes: Uint8Array, at: number, { bom, encoding }: TextForm): boolean {
  return lineStart(bytes.subarray(bom), at - bom, encoding) === at - bom
}

/** `isWhole` means that the text ends at the end of a line, so that the next line is not part of it. */
function wholeLines(bytes: Uint8Array, start: number, end: number, { bom, encoding }: TextForm, isWhole: boolean): Span {
  const body = bytes.subarray(bom)
  const last = isWhole ? end - bom : lineEnd(body, end - bom, encoding)
  return { start: bom + lineStart(body, start - bom, encoding), end: bom + last }
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

/** The number of equal characters at the start of two lines. */
function sharedStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return at
}

function signed(lines: readonly string[], sign: '-' | '+', from: number): readonly string[] {
  const shown = lines.slice(0, LINES_EACH).map((text, index) => sign + shortLine(text, index === 0 ? from : 0))
  return lines.length > LINES_EACH ? [...shown, `${sign}… ${lines.length - LINES_EACH} more lines`] : shown
}

/** The part around `from` of a very long line. */
function shortLine(text: string, from: number): string {
  if (text.length <= LINE_CHARS) return text
  const start = Math.max(0, Math.min(from - LINE_LEAD, text.length - LINE_CHARS))
  const end = start + LINE_CHARS
  return `${start > 0 ? '…' : ''}${text.slice(start, end).toWellFormed()}${end < text.length ? '…' : ''} [line of ${text.length} characters]`
}

import { Buffer } from 'node:buffer'
import { copyPasses, finished, type Passes } from '../../../shared/lib/passes.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'
import { decodeText, type Encoding, type TextForm, unitSize } from './encoding.ts'

export type Ending = '\n' | '\r\n'

/**
 * Positions of a byte sequence, in order, at multiples of the encoding's unit. `overlapping` means that a match may begin inside the
 * previous one.
 */
export function* positions(bytes: Uint8Array, needle: Uint8Array, encoding: Encoding, overlapping: boolean): Generator<number> {
  const unit = unitSize(encoding)
  const hay = asBuffer(bytes)
  // A search for a number is twice as fast as one for a single byte.
  const wanted = needle.length === 1 ? (needle[0] ?? 0) : needle
  let from = 0
  for (;;) {
    const at = hay.indexOf(wanted, from)
    if (at < 0) return
    if (at % unit !== 0) {
      from = at + 1
      continue
    }
    yield at
    from = at + (overlapping ? unit : needle.length)
  }
}

/** Number of bytes that are searched in one pass, which takes about 1 ms. */
const PIECE = 1024 * 1024

/** Number of lines that are scanned or copied at once, which takes less than 1 ms. */
const LINES = 1024

/** Like `positions`, but yields `undefined` after each pass, so that the caller can do other work in between. */
export function* positionsInPasses(
  bytes: Uint8Array,
  needle: Uint8Array,
  encoding: Encoding,
  overlapping: boolean,
): Generator<number | undefined, void> {
  let next = 0
  for (let piece = 0; piece < bytes.length; piece += PIECE) {
    const from = Math.max(piece, next)
    // A match that begins in this piece may end in the next one.
    for (const at of positions(bytes.subarray(from, piece + PIECE + needle.length - 1), needle, encoding, overlapping)) {
      next = from + at + (overlapping ? unitSize(encoding) : needle.length)
      yield from + at
    }
    yield
  }
}

/** Bytes in which every CR LF is replaced by LF, and a function that maps positions back. A CR without an LF is kept. */
export interface Unified {
  readonly bytes: Uint8Array
  /** The position in the original bytes for a position in these bytes. For an LF that had a CR, the position of the CR. */
  toOriginal(at: number): number
}

export function* unified(bytes: Uint8Array, encoding: Encoding): Passes<Unified> {
  const unit = unitSize(encoding)
  const crs: number[] = []
  for (const at of positionsInPasses(bytes, unitsOf('\r\n', encoding), encoding, false)) {
    if (at === undefined) yield
    else crs.push(at)
  }
  if (crs.length === 0) return { bytes, toOriginal: (at) => at }
  const result = Buffer.allocUnsafe(bytes.length - crs.length * unit)
  const lineFeeds = new Float64Array(crs.length)
  let read = 0
  let write = 0
  for (const [index, cr] of crs.entries()) {
    if (index % LINES === 0) yield
    yield* copyPasses(bytes.subarray(read, cr), result, write)
    write += cr - read
    lineFeeds[index] = write
    read = cr + unit
  }
  yield* copyPasses(bytes.subarray(read), result, write)
  return { bytes: result, toOriginal: (at) => at + unit * countBelow(lineFeeds, at) }
}

/** The number of line feeds before `end`. The 1-based line number of `end` is one more. */
export function* lineFeedsBefore(bytes: Uint8Array, end: number, encoding: Encoding, from = 0): Passes<number> {
  let count = 0
  for (const at of positionsInPasses(bytes.subarray(from, end), unitsOf('\n', encoding), encoding, false)) {
    if (at === undefined) yield
    else count++
  }
  return count
}

/**
 * Returns the ending of a new line that is put between `start` and `end` and replaces no line. If the endings above and below agree, uses
 * that ending. Otherwise uses the most frequent ending in the file, even if it occurs only between `start` and `end`, or LF if the file has
 * no endings.
 */
export function endingAround(bytes: Uint8Array, start: number, end: number, encoding: Encoding): Ending {
  const hay = asBuffer(bytes)
  const lineFeed = unitsOf('\n', encoding)
  const unit = unitSize(encoding)
  const above = alignedLast(hay, lineFeed, start, unit)
  const below = alignedNext(hay, lineFeed, end, unit)
  const near = [above, below].filter((at) => at >= 0).map((at) => endingAt(hay, at, encoding))
  const [first, second] = near
  if (first !== undefined && (second === undefined || second === first)) return first
  return prevailing(bytes, encoding)
}

export function prevailing(bytes: Uint8Array, encoding: Encoding): Ending {
  const all = finished(lineFeedsBefore(bytes, bytes.length, encoding))
  const pairs = [...positions(bytes, unitsOf('\r\n', encoding), encoding, false)].length
  return pairs * 2 > all ? '\r\n' : '\n'
}

/** The offset at which the line that contains `at` begins. */
export function lineStart(bytes: Uint8Array, at: number, encoding: Encoding): number {
  const unit = unitSize(encoding)
  const before = alignedLast(asBuffer(bytes), unitsOf('\n', encoding), at - (at % unit), unit)
  return before < 0 ? 0 : before + unit
}

/** The offset at which the line that contains `at` ends, including its line feed. */
export function lineEnd(bytes: Uint8Array, at: number, encoding: Encoding): number {
  const unit = unitSize(encoding)
  const next = alignedNext(asBuffer(bytes), unitsOf('\n', encoding), at, unit)
  return next < 0 ? bytes.length : next + unit
}

/** The bytes of ASCII text in this encoding. */
export function unitsOf(ascii: string, encoding: Encoding): Uint8Array {
  if (unitSize(encoding) === 1) return Buffer.from(ascii, 'latin1')
  const little = Buffer.from(ascii, 'utf16le')
  return encoding === 'utf-16be' ? little.swap16() : little
}

function endingAt(hay: Buffer, lineFeed: number, encoding: Encoding): Ending {
  const unit = unitSize(encoding)
  const before = hay.subarray(Math.max(0, lineFeed - unit), lineFeed)
  return before.equals(unitsOf('\r', encoding)) ? '\r\n' : '\n'
}

function alignedLast(hay: Buffer, needle: Uint8Array, before: number, unit: number): number {
  let from = before - unit
  while (from >= 0) {
    const at = hay.lastIndexOf(needle, from)
    if (at < 0 || at % unit === 0) return at
    from = at - 1
  }
  return -1
}

function alignedNext(hay: Buffer, needle: Uint8Array, from: number, unit: number): number {
  let at = hay.indexOf(needle, from)
  while (at >= 0 && at % unit !== 0) at = hay.indexOf(needle, at + 1)
  return at
}

function countBelow(sorted: Float64Array, limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export interface LineRange {
  /** The requested lines, without their endings. Only these are decoded, so that reading the beginning of a huge file costs little. */
  readonly lines: readonly string[]
  readonly totalLines: number
}

/**
 * At most `count` lines from line `first` (1-based). A final newline ends the last line and does not begin another line. The bytes must
 * not change before it resolves.
 */
export async function lineRange(bytes: Uint8Array, form: TextForm, first: number, count: number): Promise<LineRange> {
  const slice = createSlices()
  const body = bytes.subarray(form.bom)
  let line = 1
  let start = first === 1 ? 0 : -1
  let end = -1
  let lastEnd = 0
  const lineFeed = unitsOf('\n', form.encoding)
  for (const at of positions(body, lineFeed, form.encoding, false)) {
    lastEnd = at + lineFeed.length
    line++
    if (line === first) start = lastEnd
    if (line === first + count) end = lastEnd
    if (line % LINES === 0) await slice()
  }
  const totalLines = lastEnd === body.length ? line - 1 : line
  if (start < 0 || first > totalLines) return { lines: [], totalLines }
  const lines = linesOfText(decodeText(body.subarray(start, end < 0 ? body.length : end), form.encoding))
  return { lines: totalLines === 0 ? [] : lines, totalLines }
}

/** The lines without their endings. A final newline ends the last line and does not begin another line. */
export function linesOfText(text: string): readonly string[] {
  const lines = text.split(/\r?\n/u)
  if (lines.at(-1) === '' && lines.length > 1) lines.pop()
  return lines
}

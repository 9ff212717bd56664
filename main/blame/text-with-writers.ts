import { Buffer } from 'node:buffer'
import type { WrittenLines } from '../../shared/api/changes/blame.ts'
import { diffFewLines, diffLines } from '../../shared/lib/lines/line-diff.ts'

/** Maximum number of edits for `diffLines`. If there are more, unchanged lines may count as rewritten. */
const MAX_EDITS = 1_500
/** Most steps change fewer lines, and this lower limit is faster, so it is tried first. */
const FEW_EDITS = 60
/** Number of bytes that are compared at once. */
const CHUNK = 4_096
const LINE_FEED = 0x0a

/** A text with the writer of each of its lines. Lines end with a line feed, which the last line may lack. */
export interface TextWithWriters {
  readonly bytes: Buffer
  /** The offset of each line in bytes. */
  readonly starts: readonly number[]
  /** For each line, the number that identifies its writer. */
  readonly writers: readonly number[]
}

export const NO_TEXT: TextWithWriters = { bytes: Buffer.alloc(0), starts: [], writers: [] }

/**
 * The text after a change: unchanged lines keep their writers, the others get `writer`. Equal stretches are compared as bytes, so the
 * time depends on the size of the change and hardly on the length of the text.
 */
export function rewritten(before: TextWithWriters, after: Uint8Array, writer: number): TextWithWriters {
  const bytes = Buffer.from(after.buffer, after.byteOffset, after.byteLength)
  const next: Growing = { bytes, starts: [], writers: [] }
  let from = 0
  let to = 0
  for (;;) {
    const same = commonHead(before.bytes, from, bytes, to)
    keep(next, before, { from, to, size: same })
    from += same
    to += same
    const met = nextEqualStretch(before, from, bytes, to)
    if (met === null) break
    replace(next, before, { from, fromEnd: met.from, to, toEnd: met.to }, writer)
    ;({ from, to } = met)
  }
  const tail = commonTail(before.bytes, from, bytes, to)
  const fromEnd = before.bytes.length - tail
  const toEnd = bytes.length - tail
  replace(next, before, { from, fromEnd, to, toEnd }, writer)
  keep(next, before, { from: fromEnd, to: toEnd, size: tail })
  return next
}

interface Growing extends TextWithWriters {
  readonly starts: number[]
  readonly writers: number[]
}

/** Adds complete unchanged lines: `size` bytes, at offset `from` in the old text and at offset `to` in the new text. */
function keep(next: Growing, before: TextWithWriters, { from, to, size }: { from: number; to: number; size: number }): void {
  const end = lineAt(before.starts, from + size)
  for (let line = lineAt(before.starts, from); line < end; line++) {
    next.starts.push((before.starts[line] ?? 0) + to - from)
    next.writers.push(before.writers[line] ?? 0)
  }
}

interface Replaced {
  readonly from: number
  readonly fromEnd: number
  readonly to: number
  readonly toEnd: number
}

/** Adds the lines of a stretch in which the two texts differ. */
function replace(next: Growing, before: TextWithWriters, { from, fromEnd, to, toEnd }: Replaced, writer: number): void {
  const old = linesIn(before.bytes, from, fromEnd)
  const fresh = linesIn(next.bytes, to, toEnd)
  const first = lineAt(before.starts, from)
  let start = to
  let at = 0
  const changes = diffFewLines(old, fresh, FEW_EDITS) ?? diffLines(old, fresh, MAX_EDITS)
  const own = fresh.map(() => writer)
  for (const { beforeStart, beforeEnd, afterStart } of [
    ...changes,
    { beforeStart: old.length, beforeEnd: old.length, afterStart: fresh.length },
  ]) {
    const shift = afterStart - beforeStart
    for (; at < beforeStart; at++) own[at + shift] = before.writers[first + at] ?? writer
    at = beforeEnd
  }
  for (const [index, line] of fresh.entries()) {
    next.starts.push(start)
    next.writers.push(own[index] ?? writer)
    start += line.length
  }
}

/**
 * `WINDOW`: number of lines after a difference in which the next equal stretch is searched for. `STRETCH`: number of lines that the stretch
 * must have, unless it reaches the end of both texts.
 */
const WINDOW = 40
const STRETCH = 16

/** The nearest place from which both texts have many equal lines. Null if there is none nearby. */
function nextEqualStretch(
  before: TextWithWriters,
  from: number,
  bytes: Buffer,
  to: number,
): { readonly from: number; readonly to: number } | null {
  const old = window(before.bytes, from)
  const fresh = window(bytes, to)
  for (let sum = 0; sum < old.length + fresh.length - 1; sum++)
    for (let x = Math.max(0, sum - fresh.length + 1); x <= Math.min(sum, old.length - 1); x++) {
      const a = old[x]
      const b = fresh[sum - x]
      if (a === undefined || b === undefined || a.line !== b.line) continue
      const size = commonHead(before.bytes, a.start, bytes, b.start)
      const isWhole = a.start + size === before.bytes.length && b.start + size === bytes.length
      if (isWhole || lineAt(before.starts, a.start + size) - lineAt(before.starts, a.start) >= STRETCH)
        return { from: a.start, to: b.start }
    }
  return null
}

function window(bytes: Buffer, from: number): readonly { readonly start: number; readonly line: string }[] {
  const lines: { start: number; line: string }[] = []
  for (let start = from; start < bytes.length && lines.length < WINDOW;) {
    const end = bytes.indexOf(LINE_FEED, start) + 1 || bytes.length
    lines.push({ start, line: bytes.toString('latin1', start, end) })
    start = end
  }
  return lines
}

/** Uses one character per byte, because only the equality of lines matters, whatever the encoding. */
function linesIn(bytes: Buffer, from: number, to: number): readonly string[] {
  const text = bytes.toString('latin1', from, to)
  const lines: string[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start) + 1 || text.length
    lines.push(text.slice(start, end))
    start = end
  }
  return lines
}

/**
 * Number of bytes of the complete lines that are equal from these offsets on. The last line of both texts counts even without a line
 * feed.
 */
function commonHead(a: Buffer, from: number, b: Buffer, to: number): number {
  const most = Math.min(a.length - from, b.length - to)
  let size = 0
  while (size + CHUNK <= most && a.compare(b, to + size, to + size + CHUNK, from + size, from + size + CHUNK) === 0) size += CHUNK
  while (size < most && a[from + size] === b[to + size]) size++
  if (size === 0 || (from + size === a.length && to + size === b.length)) return size
  return Math.max(0, a.lastIndexOf(LINE_FEED, from + size - 1) + 1 - from)
}

/** Number of bytes of the complete equal lines at the end of both texts, after these offsets. */
function commonTail(a: Buffer, from: number, b: Buffer, to: number): number {
  const most = Math.min(a.length - from, b.length - to)
  let size = 0
  const isSame = (length: number): boolean =>
    a.compare(b, b.length - length, b.length - length + CHUNK, a.length - length, a.length - length + CHUNK) === 0
  while (size + CHUNK <= most && isSame(size + CHUNK)) size += CHUNK
  while (size < most && a[a.length - 1 - size] === b[b.length - 1 - size]) size++
  const begins = (text: Buffer, start: number, at: number): boolean => at === start || text[at - 1] === LINE_FEED
  while (size > 0 && !(begins(a, from, a.length - size) && begins(b, to, b.length - size))) {
    const next = a.indexOf(LINE_FEED, a.length - size)
    size = next === -1 ? 0 : a.length - next - 1
  }
  return size
}

/** The index of the line that begins at this offset. At the end of the text, the number of lines. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** Groups the lines into runs with one writer each. */
export function runsOf(writers: readonly number[]): readonly WrittenLines[] {
  const runs: { from: number; count: number; writer: number }[] = []
  for (const [at, writer] of writers.entries()) {
    const last = runs.at(-1)
    if (last?.writer === writer) last.count++
    else runs.push({ from: at + 1, count: 1, writer })
  }
  return runs
}

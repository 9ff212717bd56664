import { Buffer } from 'node:buffer'
import { countChanges } from '../../shared/lib/count-changes.ts'

export interface LineCounts {
  readonly added: number
  readonly removed: number
}

/** Maximum number of differing lines of one version that are counted. Comparing two versions of 10,000 lines takes up to 25 ms. */
const MAX_LINES = 10_000
/** Maximum number of bytes in the differing part of either version. If there are more, the lines are not counted. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Counts how many lines differ between two versions of a file (`null`: the file does not exist). Returns null if one of them is not text,
 * or if an exact count would take more than about 30 ms. A worker counts such a file when a window shows it. Equal bytes at both ends are
 * not split into lines, so a small change to a large file is counted quickly.
 */
export function countChangedLines(before: Uint8Array | null, after: Uint8Array | null): LineCounts | null {
  const [old, fresh] = [asText(before), asText(after)]
  if (old === null || fresh === null) return null
  const [a, b] = withoutSharedEnds(old, fresh)
  if (a.length > MAX_BYTES || b.length > MAX_BYTES) return null
  if (a.length === 0 || b.length === 0) return { added: lineCount(b), removed: lineCount(a) }
  const [oldLines, freshLines] = [splitLines(a), splitLines(b)]
  return oldLines && freshLines && countChanges(oldLines, freshLines)
}

/**
 * Converts the bytes so that a line feed is always the byte 0x0A: UTF-16 becomes UTF-8. In any other encoding, a NUL byte means that the
 * content is not text.
 */
function asText(bytes: Uint8Array | null): Buffer | null {
  if (bytes === null) return Buffer.alloc(0)
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isUtf16 = view.length % 2 === 0 && ((view[0] === 0xff && view[1] === 0xfe) || (view[0] === 0xfe && view[1] === 0xff))
  if (isUtf16 && view.length > MAX_BYTES) return null
  if (view.length % 2 === 0 && view[0] === 0xff && view[1] === 0xfe) return Buffer.from(view.toString('utf16le'), 'utf8')
  if (view.length % 2 === 0 && view[0] === 0xfe && view[1] === 0xff)
    return Buffer.from(Buffer.from(view).swap16().toString('utf16le'), 'utf8')
  return view.includes(0) ? null : view
}

/** Removes the complete lines that both have in common at the beginning and at the end. */
function withoutSharedEnds(a: Buffer, b: Buffer): readonly [Buffer, Buffer] {
  const most = Math.min(a.length, b.length)
  let head = sharedHead(a, b, most)
  if (head === a.length && head === b.length) return [a.subarray(head), b.subarray(head)]
  head = head === 0 ? 0 : a.lastIndexOf(0x0a, head - 1) + 1
  const tail = sharedTail(a, b, most - head)
  // The common end must begin at the start of a line in both versions. If it does not, the line in which it begins counts as different.
  const from = a.length - tail
  const border = isLineStart(a, from) && isLineStart(b, b.length - tail) ? from : a.indexOf(0x0a, from) + 1
  const keep = border <= 0 || border < from ? 0 : a.length - border
  return [a.subarray(head, a.length - keep), b.subarray(head, b.length - keep)]
}

/** Number of bytes per comparison. Comparing in blocks keeps the comparison of two files of 50 MB fast. */
const BLOCK = 65_536

function sharedTail(a: Buffer, b: Buffer, most: number): number {
  const isSame = (tail: number): boolean =>
    a.compare(b, b.length - tail - BLOCK, b.length - tail, a.length - tail - BLOCK, a.length - tail) === 0
  let tail = 0
  while (tail + BLOCK <= most && isSame(tail)) tail += BLOCK
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return tail
}

function sharedHead(a: Buffer, b: Buffer, most: number): number {
  let at = 0
  while (at + BLOCK <= most && a.compare(b, at, at + BLOCK, at, at + BLOCK) === 0) at += BLOCK
  while (at < most && a[at] === b[at]) at++
  return at
}

const isLineStart = (bytes: Buffer, at: number): boolean => at === 0 || bytes[at - 1] === 0x0a

function lineCount(bytes: Buffer): number {
  if (bytes.length === 0) return 0
  let count = bytes.at(-1) === 0x0a ? 0 : 1
  // Counts byte by byte, because a search for each line feed takes 20 times as long if the lines are short.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x0a) count++
  return count
}

/**
 * Splits bytes into lines with their line feeds, so that a last line without a line feed differs from the same line with one. Null if
 * there are too many.
 */
function splitLines(bytes: Buffer): readonly string[] | null {
  const lines: string[] = []
  for (let start = 0; start < bytes.length;) {
    const at = bytes.indexOf(0x0a, start)
    const end = at < 0 ? bytes.length : at + 1
    if (lines.push(bytes.toString('latin1', start, end)) > MAX_LINES) return null
    start = end
  }
  return lines
}

import { Buffer } from 'node:buffer'
import { countChanges } from '../../shared/lib/lines/count-changes.ts'
import { finished, type Passes } from '../../shared/lib/passes.ts'
import { runInSlices } from '../agent/event-loop-slices.ts'

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
  return finished(countPasses(before, after))
}

/** Like `countChangedLines`, but other work can run in between. The bytes must not change before it resolves. */
export function countChangedLinesInSlices(before: Uint8Array | null, after: Uint8Array | null): Promise<LineCounts | null> {
  return runInSlices(countPasses(before, after))
}

/** Maximum number of pairs of versions whose counts are remembered. */
const MAX_KNOWN = 5_000
const known = new Map<string, LineCounts | null>()

/** A version of a file in the blob store. */
interface StoredVersion {
  readonly hash: string
  bytes(): Promise<Uint8Array>
}

/**
 * Like `countChangedLinesInSlices`, for stored versions. The counts are remembered, because the same versions are counted when a change is
 * shown, signed and recorded.
 */
export async function countStoredLines(before: StoredVersion | null, after: StoredVersion | null): Promise<LineCounts | null> {
  const key = `${before?.hash} ${after?.hash}`
  const found = known.get(key)
  if (found !== undefined) return found
  const counts = await countChangedLinesInSlices((await before?.bytes()) ?? null, (await after?.bytes()) ?? null)
  known.set(key, counts)
  if (known.size > MAX_KNOWN) for (const oldest of known.keys().take(1)) known.delete(oldest)
  return counts
}

function* countPasses(before: Uint8Array | null, after: Uint8Array | null): Passes<LineCounts | null> {
  const old = asText(before)
  yield
  const fresh = asText(after)
  yield
  if (old === null || fresh === null) return null
  const { head, tail } = yield* sharedEnds(old, [fresh])
  const a = old.subarray(head, old.length - tail)
  const b = fresh.subarray(head, fresh.length - tail)
  if (a.length > MAX_BYTES || b.length > MAX_BYTES) return null
  if (a.length === 0 || b.length === 0) return { added: yield* lineCount(b), removed: yield* lineCount(a) }
  const oldLines = splitLines(a)
  yield
  const freshLines = splitLines(b)
  yield
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

interface SharedEnds {
  readonly head: number
  readonly tail: number
}

/** The number of bytes of the complete lines with which all versions begin (`head`) and end (`tail`). The lines do not overlap. */
export function* sharedEnds(first: Buffer, others: readonly Buffer[]): Passes<SharedEnds> {
  let same = Math.min(first.length, ...others.map(({ length }) => length))
  let tail = same
  for (const other of others) same = yield* sharedHead(first, other, same)
  const head = same === 0 ? 0 : first.lastIndexOf(0x0a, same - 1) + 1
  tail -= head
  for (const other of others) tail = yield* sharedTail(first, other, tail)
  // The common end must begin at the start of a line in all versions. If it does not, the line in which it begins counts as different.
  if ([first, ...others].every((version) => isLineStart(version, version.length - tail))) return { head, tail }
  const lineEnd = first.indexOf(0x0a, first.length - tail)
  return { head, tail: lineEnd < 0 ? 0 : first.length - lineEnd - 1 }
}

/** Number of bytes per pass. Comparing in blocks keeps the comparison of two files of 50 MB fast. */
const BLOCK = 65_536

function* sharedTail(a: Buffer, b: Buffer, most: number): Passes<number> {
  const isSame = (tail: number): boolean =>
    a.compare(b, b.length - tail - BLOCK, b.length - tail, a.length - tail - BLOCK, a.length - tail) === 0
  let tail = 0
  while (tail + BLOCK <= most && isSame(tail)) {
    tail += BLOCK
    yield
  }
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return tail
}

function* sharedHead(a: Buffer, b: Buffer, most: number): Passes<number> {
  let at = 0
  while (at + BLOCK <= most && a.compare(b, at, at + BLOCK, at, at + BLOCK) === 0) {
    at += BLOCK
    yield
  }
  while (at < most && a[at] === b[at]) at++
  return at
}

const isLineStart = (bytes: Buffer, at: number): boolean => at === 0 || bytes[at - 1] === 0x0a

export function* lineCount(bytes: Buffer): Passes<number> {
  if (bytes.length === 0) return 0
  let count = bytes.at(-1) === 0x0a ? 0 : 1
  for (let at = 0; at < bytes.length; at += BLOCK) {
    count += lineFeeds(bytes.subarray(at, at + BLOCK))
    yield
  }
  return count
}

/**
 * Counts byte by byte, because a search for each line feed takes 20 times as long if the lines are short. An index is four times as fast as
 * an iterator.
 */
function lineFeeds(bytes: Buffer): number {
  let count = 0
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

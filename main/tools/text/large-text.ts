import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import { isPdf } from '../documents/pdf-text.ts'
import { countLineFeeds } from './count-line-feeds.ts'
import { linesOfText, type LineRange } from './line-feeds.ts'

const LINE_FEED = 0x0a
/** A text with one of these at its beginning is not plain UTF-8: the first bytes of byte order marks. */
const MARKS: ReadonlySet<number> = new Set([0xef, 0xfe, 0xff])

export interface LargeText extends LineRange {
  readonly hash: BlobHash
}

/** Reads lines of a file that arrives in pieces, so that a file of 50 MB needs no memory of this size. */
export interface LargeTextReader {
  /** The bytes are used only during the call. */
  readonly take: (piece: Uint8Array) => void
  /** Whether anything was taken. */
  isUsed(): boolean
  /** Call once at the end. Null if the file is a PDF, or not UTF-8 without a byte order mark and without NUL. */
  end(): LargeText | null
}

/** Reads at most `count` lines from line `first` (1-based), as `lineRange` does. */
export function createLargeTextReader(first: number, count: number): LargeTextReader {
  const sum = createHash('sha256')
  const utf8 = createUtf8Check()
  const kept: Uint8Array[] = []
  let length = 0
  let line = 1
  let state: 'before' | 'inside' | 'behind' = first === 1 ? 'inside' : 'before'
  let endsInLineFeed = false
  /** Keeps what belongs to the range. Returns where the rest of the piece begins, in which only lines are counted. */
  const keepRange = (piece: Buffer): number => {
    let from = 0
    let at = 0
    for (let found = piece.indexOf(LINE_FEED); found >= 0; found = piece.indexOf(LINE_FEED, at)) {
      at = found + 1
      line++
      if (line === first) {
        state = 'inside'
        from = at
      }
      if (line === first + count) {
        state = 'behind'
        break
      }
    }
    if (state === 'before') return piece.length
    kept.push(Uint8Array.from(piece.subarray(from, state === 'behind' ? at : piece.length)))
    return state === 'behind' ? at : piece.length
  }
  return {
    take(piece) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
      const isPlain = utf8.take(bytes, length === 0)
      length += bytes.length
      if (!isPlain) return
      sum.update(bytes)
      endsInLineFeed = bytes.at(-1) === LINE_FEED
      const lineFeeds = state === 'inside' ? 0 : countLineFeeds(bytes)
      if (state === 'behind' || (state === 'before' && line + lineFeeds < first)) line += lineFeeds
      else {
        const rest = bytes.subarray(keepRange(bytes))
        line += countLineFeeds(rest)
      }
    },
    isUsed: () => length > 0,
    end() {
      if (!utf8.end()) return null
      const totalLines = endsInLineFeed ? line - 1 : line
      const lines = first > totalLines ? [] : linesOfText(Buffer.concat(kept).toString())
      return { lines, totalLines, hash: sum.digest('hex') as BlobHash }
    },
  }
}

/** Whether bytes that arrive in pieces are UTF-8 without a byte order mark and without NUL, and not a PDF. */
function createUtf8Check() {
  let isPlain = true
  /** The beginning of a character that ends in the next piece. */
  let begun = Buffer.alloc(0)
  const check = (bytes: Buffer): void => void (isPlain &&= isUtf8(bytes) && !bytes.includes(0))
  return {
    take(bytes: Buffer, isFirst: boolean): boolean {
      if (isFirst && (MARKS.has(bytes[0] ?? 0) || isPdf(bytes))) isPlain = false
      if (!isPlain) return false
      let from = 0
      if (begun.length > 0) {
        while (from < 3 && isInsideCharacter(bytes[from])) from++
        const character = Buffer.concat([begun, bytes.subarray(0, from)])
        if (from === bytes.length) {
          begun = character
          return true
        }
        check(character)
      }
      const cut = startOfLastCharacter(bytes)
      begun = Buffer.from(bytes.subarray(Math.max(from, cut)))
      check(bytes.subarray(from, Math.max(from, cut)))
      return isPlain
    },
    end: () => isPlain && isUtf8(begun),
  }
}

const isInsideCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Where the last character begins if it has more than one byte. Otherwise the length of the bytes. */
function startOfLastCharacter(bytes: Buffer): number {
  let at = bytes.length - 1
  while (at > bytes.length - 4 && isInsideCharacter(bytes[at])) at--
  return (bytes[at] ?? 0) < 0x80 ? bytes.length : at
}

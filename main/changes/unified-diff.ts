import { encodingByMark } from '../../shared/lib/decode-utf8.ts'
import { diffLines } from '../../shared/lib/lines/line-diff.ts'
import { hunksOf, splitLines, unifiedHunk } from '../../shared/lib/lines/unified-hunks.ts'

/**
 * A change of one file as lines of text. Each line starts with the standard character (space, `-`, `+`, `@`, `\`) and is otherwise
 * unchanged.
 */
export type UnifiedDiff =
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  /** One of the two versions is not text. */
  | { readonly kind: 'binary' }
  /** One of the two versions is larger than `MAX_COMPARED_FILE_BYTES`. */
  | { readonly kind: 'too_large' }

/** Maximum size in bytes. Nobody reads the diff of a larger file line by line. */
const MAX_COMPARED_FILE_BYTES = 4 * 1024 * 1024
/**
 * Maximum number of edits for `diffLines`. Finding that many takes about 300 ms in a headless process that does nothing else in the
 * meantime.
 */
const MAX_EDITS = 1_500

/**
 * The exact difference between two versions of a file, including line ends and byte order marks. `null` means that the file does not exist.
 */
export function unifiedDiff(before: Uint8Array | null, after: Uint8Array | null): UnifiedDiff {
  if (Math.max(before?.length ?? 0, after?.length ?? 0) > MAX_COMPARED_FILE_BYTES) return { kind: 'too_large' }
  const old = decoded(before)
  const fresh = decoded(after)
  if (old === null || fresh === null) return { kind: 'binary' }
  const respelt = before && after && old.encoding !== fresh.encoding ? [`\\ ${old.encoding} becomes ${fresh.encoding}`] : []
  const oldLines = splitLines(old.text)
  const freshLines = splitLines(fresh.text)
  const hunks = hunksOf(diffLines(oldLines, freshLines, MAX_EDITS))
  return { kind: 'text', lines: [...respelt, ...hunks.flatMap((hunk) => unifiedHunk(hunk, oldLines, freshLines))] }
}

interface Decoded {
  readonly text: string
  readonly encoding: string
}

/** Null if the bytes are not text. An unknown encoding is read byte by byte, so that different files never look the same. */
function decoded(bytes: Uint8Array | null): Decoded | null {
  if (bytes === null) return { text: '', encoding: '' }
  const marked = encodingByMark(bytes)
  try {
    const text = new TextDecoder(marked, { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : { text, encoding: marked }
  } catch {
    return bytes.includes(0) ? null : { text: Buffer.from(bytes).toString('latin1'), encoding: 'an unknown encoding' }
  }
}

import type { Passes } from '../../../shared/lib/passes.ts'
import { detectedEncoding } from '../../../shared/encodings/detect-encoding.ts'
import { EnvironmentFailure } from '../environment-failure.ts'

/** Number of bytes at the start of a file that are searched for a NUL. A file with a NUL there is binary, as in ripgrep and git. */
const BINARY_PROBE = 8000

/** Width of the line number. Longer numbers are not shortened. */
const NUMBER_WIDTH = 6
/** Number of bytes that are decoded in one pass, which takes a few milliseconds. */
const PIECE = 1024 * 1024

/**
 * The text's lines, each as its number (from 1, right-aligned), a tab and its text. `offset`: the index of the first line, from 0. `limit`:
 * the maximum number of lines. Throws `EINVAL` for binary files, and if `offset` or `limit` is invalid. For an invalid offset, the message
 * gives the valid range. A final newline does not start another line. The text is only for display and must never be written back: it is
 * decoded as UTF-16 if there is a byte order mark, as UTF-8 if it is valid UTF-8, and otherwise in the encoding that is detected, or as
 * Windows-1252. The bytes must not change before the last pass.
 */
export function* numberedLines(bytes: Uint8Array, path: string, offset = 0, limit?: number): Passes<string> {
  const range = { offset, limit }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return yield* numbered(bytes, new TextDecoder('utf-16le'), range)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return yield* numbered(bytes, new TextDecoder('utf-16be'), range)
  if (bytes.subarray(0, BINARY_PROBE).includes(0)) {
    throw new EnvironmentFailure('EINVAL', `${path} is a binary file (${bytes.length} bytes), not text (EINVAL).`)
  }
  try {
    return yield* numbered(bytes, new TextDecoder('utf-8', { fatal: true }), range)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return yield* numbered(bytes, new TextDecoder(detectedEncoding(bytes) ?? 'windows-1252'), range)
  }
}

interface LineRange {
  readonly offset: number
  readonly limit: number | undefined
}

/** Throws a `TypeError` if the decoder does not accept the bytes. */
function* numbered(bytes: Uint8Array, decoder: TextDecoder, { offset, limit }: LineRange): Passes<string> {
  const end = limit === undefined ? Infinity : offset + limit
  let count = 0
  let shown = ''
  let rest = ''
  const add = (lines: readonly string[]): void => {
    const wanted = lines.slice(Math.max(0, offset - count), Math.max(0, end - count))
    const first = Math.max(offset, count) + 1
    const text = wanted.map((line, index) => `${String(first + index).padStart(NUMBER_WIDTH)}\t${line}`).join('\n')
    if (wanted.length > 0) shown += shown === '' ? text : `\n${text}`
    count += lines.length
  }
  for (let from = 0; from < bytes.length; from += PIECE) {
    const isLast = from + PIECE >= bytes.length
    const [begun = '', ...others] = decoder.decode(bytes.subarray(from, from + PIECE), { stream: !isLast }).split('\n')
    const lines = [rest + begun, ...others]
    rest = lines.pop() ?? ''
    add(lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)))
    yield
  }
  if (rest !== '') add([rest])
  mustBeIndex(offset, count)
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0)) {
    throw new EnvironmentFailure('EINVAL', `The limit must be a whole number of lines, not ${String(limit)}.`)
  }
  return shown
}

function mustBeIndex(offset: number, count: number): void {
  if (Number.isInteger(offset) && offset >= 0 && (offset < count || offset === 0)) return
  const range = count === 0 ? 'the file is empty' : `the file has ${count} ${count === 1 ? 'line' : 'lines'}: 0 to ${count - 1}`
  throw new EnvironmentFailure('EINVAL', `There is no line at offset ${String(offset)}; ${range}.`)
}

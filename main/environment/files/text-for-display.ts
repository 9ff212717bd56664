import { encodingByMark } from '../../../shared/lib/decode-utf8.ts'
import { EnvironmentFailure } from '../environment-failure.ts'

/** Number of bytes at the start of a file that are searched for a NUL. A file with a NUL there is binary, as in ripgrep and git. */
const BINARY_PROBE = 8000

/**
 * Decodes bytes to text that is only for display and must never be written back: UTF-16 if there is a byte order mark, otherwise UTF-8 if
 * valid, otherwise Windows-1252, for old files. Throws `EINVAL` for binary files.
 */
export function textForDisplay(bytes: Uint8Array, path: string): string {
  const encoding = encodingByMark(bytes)
  if (encoding !== 'utf-8') return new TextDecoder(encoding).decode(bytes)
  if (bytes.subarray(0, BINARY_PROBE).includes(0)) {
    throw new EnvironmentFailure('EINVAL', `${path} is a binary file (${bytes.length} bytes), not text (EINVAL).`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Width of the line number. Longer numbers are not shortened. */
const NUMBER_WIDTH = 6

/**
 * The text's lines, each as its number (from 1, right-aligned), a tab and its text. `offset`: the index of the first line, from 0. `limit`:
 * the maximum number of lines. Throws `EINVAL` if either is invalid. For an invalid offset, the message gives the valid range. A final
 * newline does not start another line.
 */
export function numberedLines(text: string, offset = 0, limit?: number): string {
  const lines = splitLines(text)
  mustBeIndex(offset, lines.length)
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0)) {
    throw new EnvironmentFailure('EINVAL', `The limit must be a whole number of lines, not ${String(limit)}.`)
  }
  const shown = lines.slice(offset, limit === undefined ? undefined : offset + limit)
  return shown.map((line, index) => `${String(offset + index + 1).padStart(NUMBER_WIDTH)}\t${line}`).join('\n')
}

function splitLines(text: string): string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function mustBeIndex(offset: number, count: number): void {
  if (Number.isInteger(offset) && offset >= 0 && (offset < count || offset === 0)) return
  const range = count === 0 ? 'the file is empty' : `the file has ${count} ${count === 1 ? 'line' : 'lines'}: 0 to ${count - 1}`
  throw new EnvironmentFailure('EINVAL', `There is no line at offset ${String(offset)}; ${range}.`)
}

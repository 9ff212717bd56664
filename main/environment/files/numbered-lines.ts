import { EnvironmentFailure } from '../environment-failure.ts'

/** Width of the number as in P2-38's example; wider numbers are never cut. */
const NUMBER_WIDTH = 6

/**
 * P2-38: lines with their 1-based number, right-aligned, a tab, and the text. `offset` is a 0-based line index and `limit` a line
 * count; anything that names no line is `EINVAL` with the valid range. A final newline ends the last line and begins no other.
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
  throw new EnvironmentFailure('EINVAL', `The offset ${String(offset)} names no line; ${range}.`)
}

import { type TextForm, decodeText } from './encoding.ts'
import { positions, unitsOf } from './line-feeds.ts'

export interface LineRange {
  /** The lines asked for, without their endings. Decoded alone, so that the beginning of a huge file costs little. */
  readonly lines: readonly string[]
  readonly totalLines: number
}

/** Lines `first` (1-based) and following, at most `count`. A final newline ends the last line and begins no other. */
export function lineRange(bytes: Uint8Array, form: TextForm, first: number, count: number): LineRange {
  const body = bytes.subarray(form.bom)
  let [line, start, end, lastEnd] = [1, first === 1 ? 0 : -1, -1, 0]
  const lineFeed = unitsOf('\n', form.encoding)
  for (const at of positions(body, lineFeed, form.encoding, false)) {
    lastEnd = at + lineFeed.length
    line++
    if (line === first) start = lastEnd
    if (line === first + count) end = lastEnd
  }
  const totalLines = lastEnd === body.length ? line - 1 : line
  if (start < 0 || first > totalLines) return { lines: [], totalLines }
  const lines = decodeText(body.subarray(start, end < 0 ? body.length : end), form.encoding).split(/\r?\n/u)
  if (lines.at(-1) === '' && lines.length > 1) lines.pop()
  return { lines: totalLines === 0 ? [] : lines, totalLines }
}

import type { EmulatorSize } from './terminal-emulator.ts'
import { splitsPair } from './head-tail.ts'

const ASCII = /^[\x20-\x7e]*$/

/**
 * The earliest index whose text can still be on a screen of this size. It is the start of a line, or of a row of a wrapped line, so that
 * text drawn from there has the right columns. `column`: the column of the text's first character. A `Buffer` contains only ASCII.
 */
export function onScreenFrom(text: string | Buffer, { columns, rows }: EmulatorSize, column = 0): number {
  let left = rows
  for (let end = text.length; ;) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
    const length = end - start + (start === 0 ? column : 0)
    const isNarrow = typeof text !== 'string' || ASCII.test(text.slice(Math.max(start, end - (left + 1) * columns), end))
    // With wide or combined characters, the number of columns is unknown, so a line counts as one row. A line with more characters than the
    // rest of the screen has cells is still cut, because it may never end.
    const taken = length > columns && (isNarrow || length > left * columns) ? Math.ceil(length / columns) : 1
    if (taken >= left) return wholeCharacter(text, Math.max(start, start + (taken - left) * columns - (length - (end - start))))
    if (start === 0) return 0
    left -= taken
    end = start - 1
  }
}

/** The column at the end of text that consists of plain lines. */
export function columnAfter(text: string, { columns }: EmulatorSize): number {
  return (text.length - text.lastIndexOf('\n') - 1) % columns
}

function wholeCharacter(text: string | Buffer, at: number): number {
  return typeof text === 'string' && splitsPair(text, at) ? at - 1 : at
}

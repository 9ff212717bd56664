import type { EmulatorSize } from './emulator.ts'
import { splitsPair } from './head-tail.ts'

const ASCII = /^[\x20-\x7e]*$/

/**
 * Where, at the earliest, the part of a text begins that can still be on a screen of this size: at the beginning of a line, or of one
 * of the rows that a long line takes, so that what is drawn from there on stands in its columns. `column`: where the text begins.
 * Bytes are ASCII.
 */
export function onScreenFrom(text: string | Buffer, { columns, rows }: EmulatorSize, column = 0): number {
  let left = rows
  for (let end = text.length; ;) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
    const length = end - start + (start === 0 ? column : 0)
    const isNarrow = typeof text !== 'string' || ASCII.test(text.slice(Math.max(start, end - (left + 1) * columns), end))
    // Of what is wide or joined there are other columns than characters. Where it fills the screen it goes all the same, as it may never end.
    const taken = length > columns && (isNarrow || length > left * columns) ? Math.ceil(length / columns) : 1
    if (taken >= left) return wholeCharacter(text, Math.max(start, start + (taken - left) * columns - (length - (end - start))))
    if (start === 0) return 0
    left -= taken
    end = start - 1
  }
}

/** The column behind a text of plain lines. */
export function columnBehind(text: string, { columns }: EmulatorSize): number {
  return (text.length - text.lastIndexOf('\n') - 1) % columns
}

function wholeCharacter(text: string | Buffer, at: number): number {
  return typeof text === 'string' && splitsPair(text, at) ? at - 1 : at
}

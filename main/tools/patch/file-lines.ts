import { type TextForm, decodeText } from '../text/encoding.ts'
import { positions, unitsOf } from '../text/line-feeds.ts'

/** A file taken apart into lines. A final newline makes a last line that is empty; an empty file has one line. */
export interface FileLines {
  readonly bytes: Uint8Array
  readonly form: TextForm
  /** Without their endings, decoded. */
  readonly texts: readonly string[]
  /** Where line `index` begins in `bytes`; of the number of lines: the end. */
  start(index: number): number
}

export function fileLines(bytes: Uint8Array, form: TextForm): FileLines {
  const body = bytes.subarray(form.bom)
  const starts = [form.bom]
  const lineFeed = unitsOf('\n', form.encoding)
  for (const at of positions(body, lineFeed, form.encoding, false)) starts.push(form.bom + at + lineFeed.length)
  starts.push(bytes.length)
  const texts = decodeText(body, form.encoding)
    .split('\n')
    .map((line, index, all) => (index < all.length - 1 && line.endsWith('\r') ? line.slice(0, -1) : line))
  return { bytes, form, texts, start: (index) => starts[index] ?? bytes.length }
}

import { Buffer } from 'node:buffer'
import { type TextForm, decodeText, encodeText } from '../text/encoding.ts'
import { keepEndings } from '../text/keep-endings.ts'
import { type Ending, endingAround, unitsOf, positions } from '../text/line-feeds.ts'

/** A file that is split into lines. After a final newline there is one additional, empty line. An empty file has one line. */
export interface FileLines {
  readonly bytes: Uint8Array
  readonly form: TextForm
  /** The lines, decoded and without their endings. */
  readonly texts: readonly string[]
  /** The offset of the line `index` in `bytes`. If `index` is the number of lines, the end of `bytes`. */
  start(index: number): number
}

/** Replaces `removed` lines, beginning with line `start` (0-based), by the lines in `added`. */
export interface Splice {
  readonly start: number
  readonly removed: number
  readonly added: readonly string[]
}

/**
 * Replaces lines of a file. `splices` are sorted and do not overlap. Other lines keep every byte. New lines get the endings of the lines
 * that they replace, otherwise those of their neighbors, or `defaultEnding` in a file without line endings. The last line of the result has
 * no ending, so the file ends with a newline if that line is empty. Null if the encoding cannot represent a new line.
 */
export function spliceLines(file: FileLines, splices: readonly Splice[], defaultEnding: Ending): Uint8Array | null {
  const pieces: Uint8Array[] = []
  let read = 0
  for (const splice of joined(splices)) {
    pieces.push(file.bytes.subarray(read, file.start(splice.start)))
    const fresh = freshBytes(file, splice, defaultEnding)
    if (fresh === null) return null
    const atEnd = splice.start + splice.removed === file.texts.length
    if (atEnd && splice.added.length === 0) withoutEnding(pieces, file.form)
    pieces.push(fresh)
    read = file.start(splice.start + splice.removed)
  }
  return Buffer.concat([...pieces, file.bytes.subarray(read)])
}

/** Merges adjacent splices into one, because only the merged splice shows which line becomes the last. */
function joined(splices: readonly Splice[]): readonly Splice[] {
  const all: Splice[] = []
  for (const splice of splices) {
    const last = all.at(-1)
    if (last && last.start + last.removed === splice.start) {
      all[all.length - 1] = { start: last.start, removed: last.removed + splice.removed, added: [...last.added, ...splice.added] }
    } else all.push(splice)
  }
  return all
}

function freshBytes(file: FileLines, { start, removed, added }: Splice, defaultEnding: Ending): Uint8Array | null {
  if (added.length === 0) return new Uint8Array(0)
  const { bytes, form, texts } = file
  const body = bytes.subarray(form.bom)
  const from = file.start(start) - form.bom
  const to = file.start(start + removed) - form.bom
  const around = (): Ending => (texts.length === 1 ? defaultEnding : endingAround(body, from, to, form.encoding))
  const text = added.join('\n')
  return encodeText(
    keepEndings(decodeText(body.subarray(from, to), form.encoding), framed(text, file, start, removed), around),
    form.encoding,
  )
}

/** Adds the line breaks that separate the new lines from the lines above and below. */
function framed(text: string, { texts }: FileLines, start: number, removed: number): string {
  if (start + removed < texts.length) return `${text}\n`
  return start === texts.length ? `\n${text}` : text
}

/** Removes the ending of the line above, which becomes the last line when the last line is removed. */
function withoutEnding(pieces: Uint8Array[], { encoding }: TextForm): void {
  const at = pieces.findLastIndex((piece) => piece.length > 0)
  const last = pieces[at]
  if (!last) return
  for (const ending of ['\r\n', '\n']) {
    const units = unitsOf(ending, encoding)
    if (Buffer.compare(last.subarray(Math.max(0, last.length - units.length)), units) === 0) {
      pieces[at] = last.subarray(0, last.length - units.length)
      return
    }
  }
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

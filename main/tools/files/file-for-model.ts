import { modelOnly, reason } from '../../agent/reason.ts'
import { failure } from '../../agent/tool-output.ts'
import { Buffer } from 'node:buffer'
import type { SeenLines } from '../../../shared/session/events.ts'
import { MAX_PICTURE_BYTES, imageTypeOf } from '../../../shared/session/content.ts'
import { type ReadFileDetails, type ReadFileInput, readFileSpec } from '../../../shared/tools/built-in/read-file.ts'
import { hashInSlices } from '../../agent/blob-hash.ts'
import type { PathFacts, RunContext, ToolOutput } from '../../agent/ports/tool.ts'
import { notebookCells, notebookText } from '../documents/notebook-cells.ts'
import { readDocumentInWorker } from '../documents/read-document-in-worker.ts'
import { isPdf } from '../documents/pdf-text.ts'
import { shownPath } from '../define/tool-path.ts'
import { MAX_PIXELS, pictureSize } from '../../../shared/session/picture-size.ts'
import { formOfFile } from '../text/editorconfig-charset.ts'
import { type Encoding, PLAIN_UTF8, type TextForm, decodeText, encodingName } from '../text/encoding.ts'
import { type LargeText, type LargeTextReader, createLargeTextReader } from '../text/large-text.ts'
import { type LineRange, lineRange } from '../text/line-feeds.ts'
import { cutChars } from '../truncation/cut.ts'
import { limitsOf } from '../truncation/truncation-limits.ts'

/** Number of lines that are shown if the call sets no limit. */
const DEFAULT_LINES = 2000
/** Minimum width of a line number. */
const NUMBER_WIDTH = 6

type Asked = Pick<ReadFileInput, 'offset' | 'limit'>

/**
 * A file as the model sees it: text with line numbers, images as images, PDF files and notebooks as text. Records which lines were seen.
 */
export async function fileForModel(bytes: Uint8Array, place: PathFacts, asked: Asked, run: RunContext): Promise<ToolOutput> {
  if (isPdf(bytes)) return pdf(bytes, place, asked, run)
  const form = await formOfFile({ bytes, place }, run.env.readBytes)
  if (form === null) return picture(bytes, place, run)
  const cells = place.path.endsWith('.ipynb') ? notebookCells(decodeText(bytes.subarray(form.bom), form.encoding)) : null
  // The model sees a rendering of the notebook, not its actual text, so it must not replace the whole file.
  const seen = async (lines?: SeenLines): Promise<string> =>
    run.saw(place.path, await hashInSlices(bytes), cells ? { ranges: [], total: cells.length } : lines)
  if (cells === null) return numbered(bytes, form, { place, asked, seen, notes: encodingNotes(form) })
  const notes = ['(A rendering of a Jupyter notebook, not its actual text.)']
  return numbered(Buffer.from(notebookText(cells)), PLAIN_UTF8, { place, asked, seen, notes })
}

/** The reader of a large file, or null if the lines of the file are not what the model sees. */
export function largeTextReader(place: PathFacts, asked: Asked): LargeTextReader | null {
  return place.path.endsWith('.ipynb') ? null : createLargeTextReader(asked.offset ?? 1, asked.limit ?? DEFAULT_LINES)
}

/** Like `fileForModel`, for a text that was read in pieces. */
export function largeTextForModel(text: LargeText, place: PathFacts, asked: Asked, run: RunContext): Promise<ToolOutput> {
  const seen = (lines?: SeenLines): Promise<string> => Promise.resolve(run.saw(place.path, text.hash, lines))
  return numberedLines(text, { place, asked, seen, notes: [] })
}

async function pdf(bytes: Uint8Array, place: PathFacts, asked: Asked, run: RunContext): Promise<ToolOutput> {
  const shown = shownPath(place.shown)
  const read = await readDocumentInWorker({ kind: 'pdf', bytes }, run.signal)
  if (!read.ok) return failure(`${shown} ${read.failure}`)
  const text = read.value
  if (text === null) return failure(`${shown} is a PDF that cannot be read: it is damaged, or locked by a password.`)
  const notes = ['(The text of a PDF; pictures in it are not shown.)']
  return numbered(Buffer.from(text), PLAIN_UTF8, { place, asked, seen: () => hashInSlices(bytes), notes })
}

interface Numbered {
  readonly place: PathFacts
  readonly asked: Asked
  /** Records that the file, or some of its lines, were seen. Returns the hash of the file. */
  readonly seen: (lines?: SeenLines) => Promise<string>
  readonly notes: readonly string[]
}

async function numbered(bytes: Uint8Array, form: TextForm, numbering: Numbered): Promise<ToolOutput> {
  const { asked } = numbering
  return numberedLines(await lineRange(bytes, form, asked.offset ?? 1, asked.limit ?? DEFAULT_LINES), numbering)
}

async function numberedLines({ lines, totalLines }: LineRange, { place, asked, seen, notes }: Numbered): Promise<ToolOutput> {
  const first = asked.offset ?? 1
  if (totalLines > 0 && first > totalLines) return failure(pastTheEnd(place, first, totalLines))
  const shown = lines.map((line, index) => `${String(first + index).padStart(NUMBER_WIDTH)}\t${line}`)
  const output = [...shown, ...extent(first + lines.length - 1, totalLines), ...notes].join('\n')
  const details: ReadFileDetails = {
    path: place.path,
    firstLine: first,
    lines: lines.length,
    totalLines,
    hash: await seen(linesShown(shown, output, first, totalLines)),
  }
  return { output, isError: false, details: { ...details } }
}

function pastTheEnd(place: PathFacts, first: number, total: number): string {
  const range = total === 1 ? 'only line 1' : `lines 1 to ${total}`
  return `offset ${first} is beyond the end of ${shownPath(place.shown)}, which has ${range}.`
}

function extent(last: number, total: number): readonly string[] {
  if (total === 0) return ['(The file is empty.)']
  return last < total ? [`(The file has ${total} lines; continue with offset ${last + 1}.)`] : []
}

function encodingNotes({ encoding }: TextForm): readonly string[] {
  if (encoding === 'unknown') return [OLD_ENCODING]
  if (UNICODE.has(encoding)) return []
  return [`(The file is in ${encodingName(encoding)}, and stays in it. An edit can contain only characters of this encoding.)`]
}

const UNICODE: ReadonlySet<string> = new Set<Encoding>(['utf-8', 'utf-16le', 'utf-16be'])

const OLD_ENCODING =
  '(The file is not UTF-8. It is shown as if it were Windows-1252, so characters beyond ASCII may be wrong. An edit can contain only ASCII text. All other bytes are kept unchanged.)'

function picture(bytes: Uint8Array, place: PathFacts, run: RunContext): ToolOutput {
  const mediaType = imageTypeOf(bytes)
  const shown = shownPath(place.shown)
  if (mediaType === null) return failure(reason`${shown} is a binary file (${bytes.length} bytes), which is not read as text. ${INSTEAD}`)
  if (bytes.length > MAX_PICTURE_BYTES) {
    return failure(reason`${shown} is an image of ${bytes.length} bytes; at most ${MAX_PICTURE_BYTES} can be shown. ${SMALLER}`)
  }
  const size = pictureSize(bytes, mediaType)
  if (size === null)
    return failure(reason`${shown} is a damaged image (${mediaType}, ${bytes.length} bytes), which no model can see. ${INSTEAD}`)
  if (Math.max(size.width, size.height) > MAX_PIXELS) {
    return failure(
      reason`${shown} is an image of ${size.width} by ${size.height} pixels; at most ${MAX_PIXELS} by ${MAX_PIXELS} can be shown. ${SMALLER}`,
    )
  }
  const details: ReadFileDetails = { path: place.path, firstLine: 1, lines: 0, totalLines: 0, hash: run.saw(place.path, bytes) }
  return {
    output: [
      { kind: 'text', text: `${shown} (${mediaType}, ${bytes.length} bytes)` },
      { kind: 'image', mediaType, data: Buffer.from(bytes).toString('base64') },
    ],
    isError: false,
    details: { ...details },
  }
}

const INSTEAD = modelOnly('Use a command such as file, strings or xxd to look into it, or read what it was made from.')
const SMALLER = modelOnly('Make a smaller copy with a command.')

/**
 * The lines of a file that the model sees completely: the requested lines except those that the character limit cuts or removes. `output`
 * begins with the lines in `shown`. Undefined if the model sees the entire file.
 */
function linesShown(shown: readonly string[], output: string, first: number, total: number): SeenLines | undefined {
  const { chars, mode } = limitsOf(readFileSpec.name)
  const cut = cutChars(output, chars, mode)
  const ranges = cut ? besideCut(shown, first, cut.head.length, output.length - cut.tail.length) : [rangeOf(first, shown.length)]
  const [only] = ranges
  if (total === 0 || (ranges.length === 1 && only?.[0] === 1 && only[1] >= total)) return undefined
  return { ranges: ranges.filter(([from, to]) => from <= to), total }
}

const rangeOf = (first: number, count: number): readonly [number, number] => [first, first + count - 1]

/**
 * The ranges of line numbers that lie completely before `head`, where the kept beginning ends, or after `tail`, where the kept end begins.
 */
function besideCut(shown: readonly string[], first: number, head: number, tail: number): readonly (readonly [number, number])[] {
  let at = 0
  let above = 0
  let below = 0
  for (const line of shown) {
    if (at + line.length <= head) above++
    else if (at >= tail) below++
    at += line.length + 1
  }
  return [rangeOf(first, above), rangeOf(first + shown.length - below, below)]
}

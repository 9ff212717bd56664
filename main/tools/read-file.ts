import { Buffer } from 'node:buffer'
import type { ReadEffect } from '../../shared/session/effects.ts'
import type { SeenLines } from '../../shared/session/events.ts'
import { type ReadFileDetails, type ReadFileInput, readFileSpec } from '../../shared/tools/read-file.ts'
import type { PathFacts, RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { defineTool } from './define-tool.ts'
import { MAX_IMAGE_BYTES, imageTypeOf } from './image-type.ts'
import { doesNotExist } from './near-names.ts'
import { failure, fileFailure, leadsElsewhere, locate, rejected, shownPath } from './outcome.ts'
import { type TextForm, textFormOf } from './text/encoding.ts'
import { linesShown } from './text/lines-shown.ts'
import { lineRange } from './text/text-lines.ts'

/** Lines shown when the call names no limit (D-03). */
const DEFAULT_LINES = 2000
/** Width of the number (P2-38); wider ones are never cut. */
const NUMBER_WIDTH = 6

/** Reads inside the folder have no effects; outside it the read itself is the effect that is asked for. */
export function createReadFileTool(): Tool {
  return defineTool(readFileSpec, async (input, context) => {
    const place = await locate(context, input.file_path)
    if (!place.ok) return rejected(place.failure)
    const effects: readonly ReadEffect[] = place.value.outside ? [{ kind: 'read', ...place.value }] : []
    return { kind: 'ready', effects, commit: (run) => read(place.value, input, run) }
  })
}

async function read(place: PathFacts, input: ReadFileInput, run: RunContext): Promise<ToolOutput> {
  let bytes: Uint8Array
  try {
    const moved = await leadsElsewhere(run, place)
    if (moved) return moved
    bytes = await run.env.readBytes(place.path, { signal: run.signal })
  } catch (error) {
    run.signal.throwIfAborted()
    return failure(await whyNot(error, place, run))
  }
  const form = textFormOf(bytes)
  const seen = (lines?: SeenLines): string => run.saw(place.path, bytes, lines)
  return form ? text(bytes, form, { place, input, seen }) : picture(bytes, place, seen)
}

async function whyNot(error: unknown, place: PathFacts, run: RunContext): Promise<string> {
  const { code, message } = fileFailure(error)
  const shown = shownPath(place.shown)
  switch (code) {
    case 'ENOENT':
      return doesNotExist(run.env, place, 'Use glob to find the file.')
    case 'EISDIR':
      return `${shown} is a folder, not a file. Use glob to list what it holds.`
    case 'EFBIG':
      return `${message} Use grep to find what you look for, or a command such as head or sed to see a part.`
    default:
      return message
  }
}

interface TextParts {
  readonly place: PathFacts
  readonly input: ReadFileInput
  /** Tells that the file was seen, or some lines of it; its hash, which is made once. */
  readonly seen: (lines?: SeenLines) => string
}

function text(bytes: Uint8Array, form: TextForm, { place, input, seen }: TextParts): ToolOutput {
  const [first, limit] = [input.offset ?? 1, input.limit ?? DEFAULT_LINES]
  const { lines, totalLines } = lineRange(bytes, form, first, limit)
  if (totalLines > 0 && first > totalLines) return failure(pastTheEnd(place, first, totalLines))
  const shown = lines.map((line, index) => `${String(first + index).padStart(NUMBER_WIDTH)}\t${line}`)
  const output = [...shown, ...notes(form, first + lines.length - 1, totalLines)].join('\n')
  const details: ReadFileDetails = {
    path: place.path,
    firstLine: first,
    lines: lines.length,
    totalLines,
    hash: seen(linesShown(shown, output, first, totalLines)),
  }
  return { output, isError: false, details: { ...details } }
}

function pastTheEnd(place: PathFacts, first: number, total: number): string {
  const range = total === 1 ? 'only line 1' : `lines 1 to ${total}`
  return `offset ${first} lies behind the end of ${shownPath(place.shown)}, which has ${range}.`
}

function notes(form: TextForm, last: number, total: number): readonly string[] {
  if (total === 0) return ['(The file is empty.)']
  const more = last < total ? [`(The file goes on to line ${total}; continue with offset ${last + 1}.)`] : []
  return form.encoding === 'unknown' ? [...more, OLD_ENCODING] : more
}

const OLD_ENCODING =
  '(The file is not UTF-8. It is shown as if it were Windows-1252, so characters beyond ASCII may be others. An edit may name ASCII text alone; all other bytes stay as they are.)'

const INSTEAD = 'Use a command such as file, strings or xxd to look into it, or read what it was made from.'

function picture(bytes: Uint8Array, place: PathFacts, seen: TextParts['seen']): ToolOutput {
  const mediaType = imageTypeOf(bytes)
  const shown = shownPath(place.shown)
  if (mediaType === null) return failure(`${shown} is a binary file (${bytes.length} bytes), which is not read as text. ${INSTEAD}`)
  if (bytes.length > MAX_IMAGE_BYTES) {
    return failure(
      `${shown} is an image of ${bytes.length} bytes; at most ${MAX_IMAGE_BYTES} can be shown. Make a smaller copy with a command.`,
    )
  }
  const details: ReadFileDetails = { path: place.path, firstLine: 1, lines: 0, totalLines: 0, hash: seen() }
  return {
    output: [
      { kind: 'text', text: `${shown} (${mediaType}, ${bytes.length} bytes)` },
      { kind: 'image', mediaType, data: Buffer.from(bytes).toString('base64') },
    ],
    isError: false,
    details: { ...details },
  }
}

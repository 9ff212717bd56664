import { Buffer } from 'node:buffer'
import { concatPasses, type Passes } from '../../../shared/lib/passes.ts'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { type TextForm, decodeText, encodeText, beginsCharacter } from './encoding.ts'
import { keepEndings } from './keep-endings.ts'
import { endingAround, lineFeedsBefore, positionsInPasses, unified, unitsOf } from './line-feeds.ts'

export interface Replacement {
  readonly old: string
  readonly new: string
  readonly all: boolean
}

export type EditMiss =
  | { readonly kind: 'absent' }
  /** 1-based line numbers at which the matches begin: the first ones, at most 20. */
  | { readonly kind: 'several'; readonly count: number; readonly lines: readonly number[] }
  /** The file's encoding cannot represent the text, or the match may begin inside a character. */
  | { readonly kind: 'encoding'; readonly which: 'old' | 'new' | 'place' }
  | { readonly kind: 'unchanged' }

export interface Edited {
  readonly bytes: Uint8Array
  /** For each replacement, the offsets of the new text in `bytes` and of the old text in the file. */
  readonly places: readonly { readonly start: number; readonly end: number; readonly oldStart: number; readonly oldEnd: number }[]
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Maximum number of lines that are listed in a message. */
const LINES_NAMED = 20

/**
 * Replaces an exact text in a file's bytes and copies all other bytes. In `old`, LF and CR LF match each other. In `new`, every line break
 * gets the line ending of its surroundings, unless the edit changes only line endings. Everything else in `new` is literal, even `$`. The
 * bytes must not change before the last pass.
 */
export function* editBytes(bytes: Uint8Array, form: TextForm, edit: Replacement): Passes<Result<Edited, EditMiss>> {
  const needle = encodeText(edit.old, form.encoding)
  if (needle === null) return failed({ kind: 'encoding', which: 'old' })
  if (encodeText(edit.new, form.encoding) === null) return failed({ kind: 'encoding', which: 'new' })
  const body = bytes.subarray(form.bom)
  const found = yield* find(body, form, edit, needle)
  if (found.spans.length === 0) return failed(found.hidden ? { kind: 'encoding', which: 'place' } : { kind: 'absent' })
  if (found.spans.length > 1 && !edit.all) return failed(yield* several(body, form, found.spans))
  const plain = withPlainBreaks(edit.new)
  const isOfEndings = plain === withPlainBreaks(edit.old)
  const text: NewText = (was, around) => (isOfEndings ? edit.new : keepEndings(was, plain, around))
  const edited = yield* splice(bytes, form, found.spans, text)
  yield
  return Buffer.compare(edited.bytes, bytes) === 0 ? failed({ kind: 'unchanged' }) : ok(edited)
}

/**
 * Inserts complete lines after the line number `after` (0 for the beginning of the file). The new lines get the line endings of the lines
 * around them.
 */
export function* insertLines(
  bytes: Uint8Array,
  form: TextForm,
  after: number,
  text: string,
): Passes<Result<Edited, { readonly kind: 'encoding' } | { readonly kind: 'line'; readonly lines: number }>> {
  const plain = withPlainBreaks(text)
  if (encodeText(plain, form.encoding) === null) return failed({ kind: 'encoding' })
  const body = bytes.subarray(form.bom)
  const lineFeed = unitsOf('\n', form.encoding)
  let feeds = 0
  let lastEnd = 0
  let start = after === 0 ? 0 : body.length
  for (const at of positionsInPasses(body, lineFeed, form.encoding, false)) {
    if (at === undefined) {
      yield
      continue
    }
    feeds++
    lastEnd = at + lineFeed.length
    if (feeds === after) start = lastEnd
  }
  const isUnended = lastEnd !== body.length
  const lines = isUnended ? feeds + 1 : feeds
  if (after > lines) return failed({ kind: 'line', lines })
  // If the last line of the file has no ending, the line break is put before the new lines, and there is none after them.
  const whole = plain.endsWith('\n') ? plain : `${plain}\n`
  const fresh = isUnended && after === lines ? `\n${whole.slice(0, -1)}` : whole
  return ok(yield* splice(bytes, form, [{ start, end: start }], (was, around) => keepEndings(was, fresh, around)))
}

/** Returns the new text as it must be written in place of the old text `was`. */
type NewText = (was: string, around: () => '\n' | '\r\n') => string

const withPlainBreaks = (text: string): string => text.replaceAll('\r\n', '\n')

interface Found {
  readonly spans: readonly Span[]
  /** Whether the bytes also occur at a position that may be inside a character. */
  readonly hidden: boolean
}

function* find(body: Uint8Array, form: TextForm, edit: Replacement, needle: Uint8Array): Passes<Found> {
  const exact = yield* spansOf(body, form, needle, edit.all)
  if (!edit.old.includes('\n') || (edit.old.includes('\r\n') && exact.spans.length > 0)) return exact
  const plain = yield* unified(body, form.encoding)
  const loose = yield* spansOf(plain.bytes, form, encodeText(withPlainBreaks(edit.old), form.encoding) ?? needle, edit.all)
  return {
    spans: loose.spans.map(({ start, end }) => ({ start: plain.toOriginal(start), end: plain.toOriginal(end) })),
    hidden: loose.hidden,
  }
}

function* spansOf(body: Uint8Array, form: TextForm, needle: Uint8Array, all: boolean): Passes<Found> {
  const spans: Span[] = []
  let hidden = false
  // Matches may overlap here, because a match that begins inside a character must not hide the match that follows it.
  for (const start of positionsInPasses(body, needle, form.encoding, true)) {
    if (start === undefined) {
      yield
      continue
    }
    if (all && start < (spans.at(-1)?.end ?? 0)) continue
    if (beginsCharacter(body, start, form.encoding)) spans.push({ start, end: start + needle.length })
    else hidden = true
  }
  return { spans, hidden }
}

function* several(body: Uint8Array, { encoding }: TextForm, spans: readonly Span[]): Passes<EditMiss> {
  const lines: number[] = []
  let line = 1
  let from = 0
  for (const { start } of spans.slice(0, LINES_NAMED)) {
    line += yield* lineFeedsBefore(body, start, encoding, from)
    from = start
    lines.push(line)
  }
  return { kind: 'several', count: spans.length, lines }
}

function* splice(bytes: Uint8Array, form: TextForm, spans: readonly Span[], text: NewText): Passes<Edited> {
  const { bom, encoding } = form
  const body = bytes.subarray(bom)
  const pieces: Uint8Array[] = [bytes.subarray(0, bom)]
  const places: Edited['places'][number][] = []
  let read = 0
  let write = bom
  for (const { start, end } of spans) {
    const fresh = text(decodeText(body.subarray(start, end), encoding), () => endingAround(body, start, end, encoding))
    const piece = encodeText(fresh, encoding) ?? new Uint8Array(0)
    pieces.push(body.subarray(read, start), piece)
    write += start - read
    places.push({ start: write, end: write + piece.length, oldStart: bom + start, oldEnd: bom + end })
    write += piece.length
    read = end
  }
  pieces.push(body.subarray(read))
  return { bytes: yield* concatPasses(pieces), places }
}

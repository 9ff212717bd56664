import { Buffer } from 'node:buffer'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { type TextForm, decodeText, encodeText, beginsCharacter } from './encoding.ts'
import { keepEndings } from './keep-endings.ts'
import { endingAround, lineFeedsBefore, positions, unified } from './line-feeds.ts'

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
 * gets the line ending of its surroundings, unless the edit changes only line endings. Everything else in `new` is literal, even `$`.
 */
export function editBytes(bytes: Uint8Array, form: TextForm, edit: Replacement): Result<Edited, EditMiss> {
  const needle = encodeText(edit.old, form.encoding)
  if (needle === null) return failed({ kind: 'encoding', which: 'old' })
  if (encodeText(edit.new, form.encoding) === null) return failed({ kind: 'encoding', which: 'new' })
  const body = bytes.subarray(form.bom)
  const found = find(body, form, edit, needle)
  if (found.spans.length === 0) return failed(found.hidden ? { kind: 'encoding', which: 'place' } : { kind: 'absent' })
  if (found.spans.length > 1 && !edit.all) return failed(several(body, form, found.spans))
  const plain = withPlainBreaks(edit.new)
  const isOfEndings = plain === withPlainBreaks(edit.old)
  const text: NewText = (was, around) => (isOfEndings ? edit.new : keepEndings(was, plain, around))
  const edited = splice(bytes, form, found.spans, text)
  return Buffer.compare(edited.bytes, bytes) === 0 ? failed({ kind: 'unchanged' }) : ok(edited)
}

/**
 * Inserts complete lines after the line number `after` (0 for the beginning of the file). The new lines get the line endings of the lines
 * around them.
 */
export function insertLines(
  bytes: Uint8Array,
  form: TextForm,
  after: number,
  text: string,
): Result<Edited, { readonly kind: 'encoding' } | { readonly kind: 'line'; readonly lines: number }> {
  const plain = withPlainBreaks(text)
  if (encodeText(plain, form.encoding) === null) return failed({ kind: 'encoding' })
  const body = bytes.subarray(form.bom)
  const feed = encodeText('\n', form.encoding)?.length ?? 1
  const starts = [0, ...[...positions(body, encodeText('\n', form.encoding) ?? body, form.encoding, false)].map((at) => at + feed)]
  const isUnended = starts.at(-1) !== body.length
  const lines = isUnended ? starts.length : starts.length - 1
  if (after > lines) return failed({ kind: 'line', lines })
  const start = starts[after] ?? body.length
  // If the last line of the file has no ending, the line break is put before the new lines, and there is none after them.
  const whole = plain.endsWith('\n') ? plain : `${plain}\n`
  const fresh = isUnended && after === lines ? `\n${whole.slice(0, -1)}` : whole
  return ok(splice(bytes, form, [{ start, end: start }], (was, around) => keepEndings(was, fresh, around)))
}

/** Returns the new text as it must be written in place of the old text `was`. */
type NewText = (was: string, around: () => '\n' | '\r\n') => string

const withPlainBreaks = (text: string): string => text.replaceAll('\r\n', '\n')

interface Found {
  readonly spans: readonly Span[]
  /** Whether the bytes also occur at a position that may be inside a character. */
  readonly hidden: boolean
}

function find(body: Uint8Array, form: TextForm, edit: Replacement, needle: Uint8Array): Found {
  const exact = spansOf(body, form, needle, edit.all)
  if (!edit.old.includes('\n') || (edit.old.includes('\r\n') && exact.spans.length > 0)) return exact
  const plain = unified(body, form.encoding)
  const loose = spansOf(plain.bytes, form, encodeText(withPlainBreaks(edit.old), form.encoding) ?? needle, edit.all)
  return {
    spans: loose.spans.map(({ start, end }) => ({ start: plain.toOriginal(start), end: plain.toOriginal(end) })),
    hidden: loose.hidden,
  }
}

function spansOf(body: Uint8Array, form: TextForm, needle: Uint8Array, all: boolean): { spans: Span[]; hidden: boolean } {
  const spans: Span[] = []
  let hidden = false
  for (const start of positions(body, needle, form.encoding, !all)) {
    if (form.encoding === 'unknown' && !beginsCharacter(body, start)) hidden = true
    else spans.push({ start, end: start + needle.length })
  }
  return { spans, hidden }
}

function several(body: Uint8Array, { encoding }: TextForm, spans: readonly Span[]): EditMiss {
  const lines: number[] = []
  let [line, from] = [1, 0]
  for (const { start } of spans.slice(0, LINES_NAMED)) {
    line += lineFeedsBefore(body, start, encoding, from)
    from = start
    lines.push(line)
  }
  return { kind: 'several', count: spans.length, lines }
}

function splice(bytes: Uint8Array, form: TextForm, spans: readonly Span[], text: NewText): Edited {
  const { bom, encoding } = form
  const body = bytes.subarray(bom)
  const pieces: Uint8Array[] = []
  const places: Edited['places'][number][] = []
  let [read, write] = [0, bom]
  for (const { start, end } of spans) {
    const fresh = text(decodeText(body.subarray(start, end), encoding), () => endingAround(body, start, end, encoding))
    const piece = encodeText(fresh, encoding) ?? new Uint8Array(0)
    pieces.push(body.subarray(read, start), piece)
    write += start - read
    places.push({ start: write, end: write + piece.length, oldStart: bom + start, oldEnd: bom + end })
    write += piece.length
    read = end
  }
  return { bytes: Buffer.concat([bytes.subarray(0, bom), ...pieces, body.subarray(read)]), places }
}

import { Buffer } from 'node:buffer'
import { type TextForm, PLAIN_UTF8, bomBytes, decodeText, encodeText, encodingName, isAscii, textFormOf } from './encoding.ts'
import { keepEndings } from './keep-endings.ts'
import { positions, prevailing, unitsOf } from './line-feeds.ts'

export interface Rewritten {
  readonly bytes: Uint8Array
  /** A sentence that says which part of the old file's form could not be kept; null if everything was kept. */
  readonly note: string | null
}

/**
 * Returns the complete new content of a file in the encoding, byte order mark and line endings of the old content, if possible. If
 * `content` contains CR LF, its own line endings are kept. In UTF-8, a byte order mark of `content` is also kept. `content` must be
 * well-formed. `configured` is the form of a file that is new, or whose own bytes do not tell their encoding.
 */
export function rewriteInOldEncoding(previous: Uint8Array | null, content: string, configured: TextForm | null = null): Rewritten {
  if (previous === null || previous.length === 0) return newContent(content, configured ?? PLAIN_UTF8)
  const detected = textFormOf(previous)
  const form = detected === null || detected.encoding === 'unknown' ? (configured ?? detected) : detected
  if (form === null) return { bytes: Buffer.from(content, 'utf8'), note: 'It was a binary file before.' }
  const text = content.startsWith('\ufeff') ? content.slice(1) : content
  const body = previous.subarray(form.bom)
  const fitted = text.includes('\r\n') ? text : keepEndings(decodeText(body, form.encoding), text, () => prevailing(body, form.encoding))
  const encoded = encodeText(fitted, form.encoding) ?? (form.encoding === 'unknown' ? ofKnownLines(body, fitted) : null)
  if (encoded) return { bytes: withMark(form, encoded, content), note: null }
  return { bytes: Buffer.from(fitted, 'utf8'), note: 'Its old encoding cannot represent the new content, so it is UTF-8 now.' }
}

function newContent(content: string, form: TextForm): Rewritten {
  const text = content.startsWith('\ufeff') ? content.slice(1) : content
  const encoded = encodeText(text, form.encoding)
  if (encoded) return { bytes: withMark(form, encoded, content), note: null }
  return {
    bytes: Buffer.from(content, 'utf8'),
    note: `${encodingName(form.encoding)}, which .editorconfig asks for, lacks a character of it, so it is UTF-8.`,
  }
}

/**
 * Encodes text in an unknown encoding, if every line is ASCII or is a line of the old file, whose bytes are then reused. Null if a line
 * is neither.
 */
function ofKnownLines(old: Uint8Array, text: string): Uint8Array | null {
  const known = new Map<string, Uint8Array>()
  let start = 0
  for (const at of [...positions(old, unitsOf('\n', 'unknown'), 'unknown', false), old.length]) {
    const line = old.subarray(start, old[at - 1] === CARRIAGE_RETURN && at > start ? at - 1 : at)
    known.set(decodeText(line, 'unknown'), line)
    start = at + 1
  }
  const pieces: Uint8Array[] = []
  for (const part of text.split(/(\r?\n)/u)) {
    const bytes = isAscii(part) ? Buffer.from(part, 'latin1') : known.get(part)
    if (bytes === undefined) return null
    pieces.push(bytes)
  }
  return Buffer.concat(pieces)
}

const CARRIAGE_RETURN = 0x0d

function withMark(form: TextForm, encoded: Uint8Array, content: string): Uint8Array {
  const mark =
    form.bom === 0 && content.startsWith('\ufeff') && form.encoding === 'utf-8' ? Uint8Array.of(0xef, 0xbb, 0xbf) : bomBytes(form)
  return Buffer.concat([mark, encoded])
}

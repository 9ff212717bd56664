import { Buffer, isUtf8 } from 'node:buffer'
import { createSlices } from '../../agent/event-loop-slices.ts'
import { detectedEncoding } from '../../../shared/encodings/detect-encoding.ts'
import { encodeOldText, isMultiByte, type OldEncoding } from '../../../shared/encodings/old-encoding.ts'

/**
 * How the bytes of a file represent its text. An older encoding is recognized only if no other one fits and encoding the text again
 * gives the same bytes. `unknown`: the text is in some other encoding that contains ASCII.
 */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | OldEncoding | 'unknown'

export interface TextForm {
  readonly encoding: Encoding
  /** Number of bytes of the byte order mark: 0, 2 or 3. */
  readonly bom: number
}

export const PLAIN_UTF8: TextForm = { encoding: 'utf-8', bom: 0 }

/** Number of bytes that are examined for control characters. In a file that is not text, they appear near the beginning. */
const PROBE = 65_536
/** Bytes that are not UTF-8 do not count as text if the share of control characters in them is above this. */
const MAX_CONTROLS = 0.01

/**
 * Null if the bytes are binary. A file is text if it has a byte order mark that fits its bytes, if it is UTF-8 without NUL, or if it has no
 * NUL and few control characters.
 */
export function textFormOf(bytes: Uint8Array): TextForm | null {
  const utf16 = utf16FormOf(bytes)
  return utf16 === undefined ? formOf(bytes, contentOf(bytes)) : utf16
}

/** Number of bytes that are examined in one slice, which takes about 1 ms. */
const PIECE = 1024 * 1024

/** Like `textFormOf`, but other work can run in between. The bytes must not change before it resolves. */
export async function textFormInSlices(bytes: Uint8Array): Promise<TextForm | null> {
  const utf16 = utf16FormOf(bytes)
  if (utf16 !== undefined) return utf16
  const slice = createSlices()
  let content: Content = 'utf-8'
  for (let from = 0; from < bytes.length && content !== 'with-nul';) {
    const to = characterStart(bytes, from + PIECE)
    const found = contentOf(bytes.subarray(from, to))
    if (found !== 'utf-8') content = found
    from = to
    await slice()
  }
  return formOf(bytes, content)
}

/** `at`, or the start of the UTF-8 character that contains it. */
function characterStart(bytes: Uint8Array, at: number): number {
  for (let start = at; start > at - 4; start--) if (((bytes[start] ?? 0) & 0xc0) !== 0x80) return start
  return at
}

type Content = 'with-nul' | 'utf-8' | 'other'

function contentOf(bytes: Uint8Array): Content {
  // `Buffer.includes` is ten times as fast as that of an array.
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(0)) return 'with-nul'
  return isUtf8(bytes) ? 'utf-8' : 'other'
}

/** Undefined if the bytes do not begin with a byte order mark of UTF-16. */
function utf16FormOf(bytes: Uint8Array): TextForm | null | undefined {
  if (startsWith(bytes, 0xff, 0xfe, 0, 0)) return null
  if (startsWith(bytes, 0xff, 0xfe)) return bytes.length % 2 === 0 ? { encoding: 'utf-16le', bom: 2 } : null
  if (startsWith(bytes, 0xfe, 0xff)) return bytes.length % 2 === 0 ? { encoding: 'utf-16be', bom: 2 } : null
  return undefined
}

function formOf(bytes: Uint8Array, content: Content): TextForm | null {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return content === 'utf-8' ? { encoding: 'utf-8', bom: 3 } : null
  if (content === 'with-nul') return null
  if (content === 'utf-8') return PLAIN_UTF8
  if (hasManyControls(bytes.subarray(0, PROBE))) return null
  return { encoding: detectedEncoding(bytes) ?? 'unknown', bom: 0 }
}

/** Number of bytes of one code unit. Line breaks and matches begin at multiples of it. */
export function unitSize(encoding: Encoding): 1 | 2 {
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? 2 : 1
}

/**
 * Encodes without a byte order mark. Null if the encoding cannot represent the text (an unknown encoding accepts only ASCII), or if the
 * text contains a lone surrogate.
 */
export function encodeText(text: string, encoding: Encoding): Uint8Array | null {
  if (!text.isWellFormed()) return null
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8')
    case 'utf-16le':
      return Buffer.from(text, 'utf16le')
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16()
    case 'unknown':
      return isAscii(text) ? Buffer.from(text, 'latin1') : null
    default:
      return encodeOldText(text, encoding)
  }
}

/**
 * The result is exact for a known encoding. For an unknown encoding, use the result only for display. `bytes` must not include a byte order
 * mark.
 */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    case 'utf-16le':
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf16le')
    case 'utf-16be':
      return Buffer.from(bytes).swap16().toString('utf16le')
    case 'unknown':
      return new TextDecoder('windows-1252').decode(bytes)
    default:
      return new TextDecoder(encoding).decode(bytes)
  }
}

/** The name of the encoding for people and models. */
export const encodingName = (encoding: Encoding): string =>
  encoding === 'shift_jis' ? 'Shift-JIS' : encoding.startsWith('windows') ? encoding.replace('w', 'W') : encoding.toUpperCase()

export function bomBytes({ encoding, bom }: TextForm): Uint8Array {
  if (bom === 0) return new Uint8Array(0)
  if (encoding === 'utf-16le') return Uint8Array.of(0xff, 0xfe)
  return encoding === 'utf-16be' ? Uint8Array.of(0xfe, 0xff) : Uint8Array.of(0xef, 0xbb, 0xbf)
}

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/u.test(text)
}

function startsWith(bytes: Uint8Array, ...first: readonly number[]): boolean {
  return bytes.length >= first.length && first.every((byte, at) => bytes[at] === byte)
}

function hasManyControls(probe: Uint8Array): boolean {
  let controls = 0
  for (const byte of probe) if (byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27) controls++
  return controls > probe.length * MAX_CONTROLS
}

/** Encodings in which the second byte of a character may be an ASCII byte; in Shift-JIS, it may even be the backslash. */
const MULTI_BYTE = ['shift_jis', 'gb18030', 'big5', 'euc-kr', 'euc-jp'] as const

/** The smallest second byte that any of these encodings uses. */
const LOWEST_TRAIL = 0x30

/**
 * Whether a character certainly begins at `at`. In text of unknown encoding, it must begin there in each of the encodings above in which
 * the entire text is valid. If there is no such encoding, each byte is a character.
 */
export function beginsCharacter(bytes: Uint8Array, at: number, encoding: Encoding): boolean {
  if (encoding !== 'unknown') return !isMultiByte(encoding) || beginsCharacterOfLine(bytes, at, encoding)
  const before = at > 0 ? (bytes[at - 1] ?? 0) : 0
  if (before < 0x80 || (bytes[at] ?? 0) < LOWEST_TRAIL) return true
  return MULTI_BYTE.every((encoding) => !isValid(bytes, encoding) || isValid(bytes.subarray(0, at), encoding))
}

/** No character of an older encoding contains a line feed, so only the line before `at` is examined. */
function beginsCharacterOfLine(bytes: Uint8Array, at: number, encoding: string): boolean {
  return isValid(bytes.subarray(bytes.lastIndexOf(0x0a, at - 1) + 1, at), encoding)
}

function isValid(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

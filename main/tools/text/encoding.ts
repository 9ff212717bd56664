import { Buffer, isUtf8 } from 'node:buffer'

/** How a file's bytes spell its text. `unknown` is an older encoding that contains ASCII (Windows-1252, Shift-JIS, GBK …). */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'unknown'

export interface TextForm {
  readonly encoding: Encoding
  /** Bytes of the byte order mark: 0, 2 or 3. */
  readonly bom: number
}

export const PLAIN_UTF8: TextForm = { encoding: 'utf-8', bom: 0 }

/** Bytes looked at for control characters; a text has them all over, a picture in its beginning. */
const PROBE = 65_536
/** Share of control characters above which bytes that are not UTF-8 are no text either. */
const MAX_CONTROLS = 0.01

/** Null: binary. A file is text if it has a byte order mark, or is UTF-8 without NUL, or has no NUL and few control characters. */
export function textFormOf(bytes: Uint8Array): TextForm | null {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return isUtf8(bytes) && !bytes.includes(0) ? { encoding: 'utf-8', bom: 3 } : null
  if (startsWith(bytes, 0xff, 0xfe, 0, 0)) return null
  if (startsWith(bytes, 0xff, 0xfe)) return bytes.length % 2 === 0 ? { encoding: 'utf-16le', bom: 2 } : null
  if (startsWith(bytes, 0xfe, 0xff)) return bytes.length % 2 === 0 ? { encoding: 'utf-16be', bom: 2 } : null
  if (bytes.includes(0)) return null
  if (isUtf8(bytes)) return PLAIN_UTF8
  return hasManyControls(bytes.subarray(0, PROBE)) ? null : { encoding: 'unknown', bom: 0 }
}

/** Bytes of one code unit; line breaks and matches begin at multiples of it. */
export function unitSize(encoding: Encoding): 1 | 2 {
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? 2 : 1
}

/** Without a byte order mark. Null: the encoding cannot say it (unknown ones take ASCII alone), or the text has a lone surrogate. */
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
  }
}

/** For eyes only where the encoding is unknown; otherwise exact. `bytes` are without a byte order mark. */
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
  }
}

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

/** Encodings in which a character's second byte may be an ASCII byte: in Shift-JIS even the backslash. */
const MULTI_BYTE = ['shift_jis', 'gb18030', 'big5', 'euc-kr', 'euc-jp'] as const

/** The smallest second byte that any of them uses. */
const LOWEST_TRAIL = 0x30

/**
 * Whether a character certainly begins at `at` in a text of unknown encoding: it does in each of the encodings above in which the whole
 * text is valid. If there is none, each byte is a character.
 */
export function beginsCharacter(bytes: Uint8Array, at: number): boolean {
  const before = at > 0 ? (bytes[at - 1] ?? 0) : 0
  if (before < 0x80 || (bytes[at] ?? 0) < LOWEST_TRAIL) return true
  return MULTI_BYTE.every((encoding) => !isValid(bytes, encoding) || isValid(bytes.subarray(0, at), encoding))
}

function isValid(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

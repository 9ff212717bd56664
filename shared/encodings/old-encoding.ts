/**
 * The encodings older than Unicode in which text can be read and written, named as in the web's standard for encodings. All contain ASCII.
 */
export const OLD_ENCODINGS = [
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'iso-8859-16',
  'koi8-r',
  'koi8-u',
  'ibm866',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'gbk',
  'big5',
  'euc-kr',
] as const

export type OldEncoding = (typeof OLD_ENCODINGS)[number]

/** Encodings with characters of several bytes, none of which is a line feed or a carriage return. */
const MULTI_BYTE: ReadonlySet<string> = new Set<OldEncoding>(['shift_jis', 'euc-jp', 'gb18030', 'gbk', 'big5', 'euc-kr'])

export const isMultiByte = (encoding: string): boolean => MULTI_BYTE.has(encoding)

/** Null if the bytes are not valid in the encoding. */
export function decodeOldText(bytes: Uint8Array, encoding: OldEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Null if the encoding lacks a character of the text. */
export function encodeOldText(text: string, encoding: OldEncoding): Uint8Array | null {
  const { first, second, third } = tableOf(encoding)
  const bytes = new Uint8Array(text.length * 3)
  let end = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const start = first[unit] ?? NONE
    if (start === NONE) return null
    bytes[end++] = start
    const next = second[unit] ?? 0
    if (next !== 0) bytes[end++] = next
    const last = third[unit] ?? 0
    if (last !== 0) bytes[end++] = last
  }
  return bytes.subarray(0, end)
}

/** Whether the text of these bytes, written again, is exactly these bytes. */
export function isKeptByEncoding(bytes: Uint8Array, text: string, encoding: OldEncoding): boolean {
  const again = encodeOldText(text, encoding)
  return again !== null && again.length === bytes.length && again.every((byte, at) => byte === bytes[at])
}

/** For each UTF-16 unit, the bytes of the character. No character beyond the first 65,536 can be written. */
interface Table {
  /** `NONE` if the encoding lacks the character. */
  readonly first: Uint16Array
  /** 0 if the character has no such byte. */
  readonly second: Uint8Array
  readonly third: Uint8Array
}

const NONE = 0xffff

const tables = new Map<OldEncoding, Table>()

/** Made from the decoder on first use, which takes a few ms. */
function tableOf(encoding: OldEncoding): Table {
  const known = tables.get(encoding)
  if (known) return known
  const table: Table = {
    first: new Uint16Array(0x10000).fill(NONE),
    second: new Uint8Array(0x10000),
    third: new Uint8Array(0x10000),
  }
  // GB18030 has the euro sign as two bytes; its byte 0x80 belongs to GBK.
  addCodes(table, encoding, [], encoding === 'gb18030' ? [0, 0x7f] : [0, 0xff])
  const leads = MULTI_BYTE.has(encoding) ? range(0x81, 0xfe) : []
  for (const lead of leads) addCodes(table, encoding, [lead], [0x40, 0xfe])
  // The characters of JIS X 0212.
  if (encoding === 'euc-jp') for (const lead of range(0xa1, 0xfe)) addCodes(table, encoding, [0x8f, lead], [0xa1, 0xfe])
  table.first[LINE_FEED] = LINE_FEED
  tables.set(encoding, table)
  return table
}

const LINE_FEED = 0x0a

/**
 * Adds the characters whose bytes are `leads` and one more byte from `from` to `to`. If a character can be written in several ways, the
 * first one stays.
 */
function addCodes(
  { first, second, third }: Table,
  encoding: OldEncoding,
  leads: readonly number[],
  [from, to]: readonly [number, number],
): void {
  const ends = range(from, to).filter((byte) => byte !== LINE_FEED)
  const codes = ends.flatMap((end) => [...leads, end, LINE_FEED])
  const characters = new TextDecoder(encoding).decode(Uint8Array.from(codes)).split('\n')
  for (const [index, end] of ends.entries()) {
    const character = characters[index] ?? ''
    const unit = character.charCodeAt(0)
    if (character.length !== 1 || character === '\ufffd' || first[unit] !== NONE) continue
    const code = [...leads, end]
    first[unit] = code[0] ?? NONE
    second[unit] = code[1] ?? 0
    third[unit] = code[2] ?? 0
  }
}

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

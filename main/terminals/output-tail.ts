const ESC = 0x1b
const BEL = 0x07
/** Number of bytes before the cut that are searched for the start of an escape sequence. Only images have longer sequences. */
export const LOOK_BACK = 4096

/**
 * The last `most` bytes of terminal output as text, or slightly fewer. The text does not start inside a character or inside an escape
 * sequence, because the rest of the sequence would appear as text. `bytes` should contain `LOOK_BACK` bytes more than `most` if they are
 * available.
 */
export function outputTail(bytes: Uint8Array, most: number): string {
  const cut = Math.max(0, bytes.length - most)
  return new TextDecoder().decode(bytes.subarray(cut === 0 ? 0 : characterFrom(bytes, sequenceEnd(bytes, cut))))
}

/** The end of the sequence that crosses `cut`, or `cut` if there is none. */
function sequenceEnd(bytes: Uint8Array, cut: number): number {
  const start = bytes.lastIndexOf(ESC, cut - 1)
  return start === -1 ? cut : Math.max(cut, endOfSequence(bytes, start) ?? cut)
}

/** ECMA-48: ESC starts a control sequence, a string or a short sequence. Null if the sequence has no end. */
function endOfSequence(bytes: Uint8Array, start: number): number | null {
  const kind = String.fromCharCode(bytes[start + 1] ?? 0)
  if (']PX^_'.includes(kind)) return endOfString(bytes, start + 2)
  const isFinal = kind === '[' ? (byte: number) => byte >= 0x40 && byte <= 0x7e : (byte: number) => byte >= 0x30 && byte <= 0x7e
  const end = bytes.subarray(0, start + LOOK_BACK).findIndex((byte, at) => at > start + (kind === '[' ? 1 : 0) && isFinal(byte))
  return end === -1 ? null : end + 1
}

/** A string ends with BEL, or with ESC and a backslash. */
function endOfString(bytes: Uint8Array, from: number): number | null {
  const end = bytes.subarray(0, from + LOOK_BACK).findIndex((byte, at) => at >= from && (byte === BEL || byte === ESC))
  if (end === -1) return null
  return bytes[end] === BEL ? end + 1 : end + 2
}

/** The position of the first byte at or after `at` that starts a UTF-8 character (at most three bytes later). */
function characterFrom(bytes: Uint8Array, at: number): number {
  let from = at
  while (from < at + 3 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++
  return from
}

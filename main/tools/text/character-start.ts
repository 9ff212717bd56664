/** Encodings in which a character's second byte may be an ASCII byte: in Shift-JIS even the backslash. */
const MULTI_BYTE = ['shift_jis', 'gb18030', 'big5', 'euc-kr', 'euc-jp'] as const

/** The smallest byte that any of them uses behind a lead byte. */
const LOWEST_TRAIL = 0x30

/**
 * Whether a character begins at `at` in a text of unknown encoding, for certain: in each of the encodings above in which the whole
 * text is valid. Where the text is valid in none of them, a byte is a character.
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

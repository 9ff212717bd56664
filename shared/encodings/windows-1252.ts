/**
 * Signs that Western texts contain: quotes, dashes, currencies, fractions. Others occur mostly as halves of characters of other encodings.
 */
const SIGNS: ReadonlySet<number> = new Set([
  0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0xa0, 0xa1, 0xa3, 0xa7, 0xa9, 0xaa, 0xab, 0xae, 0xb0, 0xb1, 0xb2, 0xb3, 0xb5,
  0xb7, 0xba, 0xbb, 0xbc, 0xbd, 0xbe, 0xbf, 0xd7, 0xf7,
])

const isLetter = (byte: number): boolean => byte >= 0xc0 && !SIGNS.has(byte)
const isSmallLetter = (byte: number): boolean => byte >= 0xdf && !SIGNS.has(byte)
const isAsciiLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)

/**
 * Whether text with an ASCII-based encoding is certainly not in Cyrillic, Greek, Chinese, Japanese or Korean: accented letters stand alone
 * or as two small letters, at least one of them next to an ASCII letter, and all other bytes above 127 are Western signs. Encodings of
 * other Latin languages look the same; there, too, a letter is written back as the byte that is shown as this letter.
 */
export function isWindows1252(bytes: Uint8Array): boolean {
  let isInWord = false
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80 || SIGNS.has(byte)) {
      at++
      continue
    }
    let end = at
    while (isLetter(bytes[end] ?? 0)) end++
    const isPair = end - at === 2 && bytes.subarray(at, end).every(isSmallLetter)
    if (end - at !== 1 && !isPair) return false
    isInWord ||= isAsciiLetter(bytes[at - 1] ?? 0) || isAsciiLetter(bytes[end] ?? 0)
    at = end
  }
  return isInWord
}

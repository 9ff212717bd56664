/**
 * Decodes bytes as text. Null if they are not UTF-8. With `keepsMark`, a byte order mark at the start is kept. By default it is removed.
 */
export function decodeUtf8(bytes: Uint8Array, { keepsMark = false }: { readonly keepsMark?: boolean } = {}): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes)
  } catch {
    return null
  }
}

/** The encoding of a text that begins with these bytes: UTF-16 if its byte order mark is there, otherwise UTF-8. */
export function encodingByMark([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

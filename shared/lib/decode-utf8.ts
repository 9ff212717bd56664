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

/** The bytes as text; null: they are not UTF-8. `keepsMark`: a byte order mark at the start stays in the text. Default: it is removed. */
export function decodeUtf8(bytes: Uint8Array, { keepsMark = false }: { readonly keepsMark?: boolean } = {}): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes)
  } catch {
    return null
  }
}

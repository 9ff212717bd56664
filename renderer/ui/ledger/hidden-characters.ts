/** A run of text as it is, or one character that could not be seen, by its code point: `U+202E`. */
export type ExactPiece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'hidden'; readonly code: string }

/**
 * Controls, format characters (bidi overrides, zero-width), separators that look like a space and are none, fillers and variation
 * selectors, private use, unassigned and broken surrogates. Space, tab and line feed are themselves.
 */
const hidden = /(?![ \t\n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu

/** Splits what is to be signed so that nothing in it can stay unseen; the texts and the codes together are the whole of it. */
export function exactPieces(text: string): readonly ExactPiece[] {
  const pieces: ExactPiece[] = []
  let from = 0
  for (const found of text.matchAll(hidden)) {
    if (found.index > from) pieces.push({ kind: 'text', text: text.slice(from, found.index) })
    const code = found[0].codePointAt(0) ?? 0
    pieces.push({ kind: 'hidden', code: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` })
    from = found.index + found[0].length
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) })
  return pieces
}

/** A piece of text, or one invisible character by its code point: `U+202E`. */
export type ExactPiece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'hidden'; readonly code: string }

/**
 * Matches controls, format characters (bidi overrides, zero-width), separators that look like a space, fillers and variation selectors,
 * private use, unassigned characters, lone surrogates and the braille blank. Space, tab and line feed are excluded.
 */
const hidden = /(?![ \t\n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

const hiddenInPath = new RegExp(`[\\t\\n]|${hidden.source}`, 'gu')

/**
 * Matches controls, bidi marks and zero-width characters, for text that is only read (prose, output, paths, titles). Does not match unusual
 * spaces, emoji with their joiners, or the joiners of scripts that need them.
 */
const foreign =
  /\p{RGI_Emoji}|(?<=[\p{sc=Arab}\p{sc=Beng}\p{sc=Deva}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Mlym}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}])[\u200c\u200d]|(?<hidden>(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029])/gv

const mayHide = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u

/** Splits foreign text that is shown but not signed. */
export function foreignPieces(text: string): readonly ExactPiece[] {
  return mayHide.test(text) ? piecesBy(foreign, text) : [{ kind: 'text', text }]
}

/** Returns foreign text as plain text with code points, for tooltips, labels and measuring. */
export function withCodes(text: string): string {
  return mayHide.test(text)
    ? foreignPieces(text)
        .map((piece) => (piece.kind === 'text' ? piece.text : piece.code))
        .join('')
    : text
}

/** Splits text that is signed, so that every invisible character is shown. The pieces together are the complete text. */
export function exactPieces(text: string): readonly ExactPiece[] {
  return piecesBy(hidden, text)
}

/** Does the same for a path. Tabs and line ends count as invisible too, because a path is shown on one line. */
export function exactPathPieces(path: string): readonly ExactPiece[] {
  return piecesBy(hiddenInPath, path)
}

/**
 * Splits a text at the matches of a pattern. If the pattern has a group `hidden`, only matches of that group count, and other matches
 * remain text.
 */
function piecesBy(pattern: RegExp, text: string): readonly ExactPiece[] {
  const pieces: ExactPiece[] = []
  let from = 0
  for (const found of text.matchAll(pattern)) {
    if (found.groups && found.groups['hidden'] === undefined) continue
    if (found.index > from) pieces.push({ kind: 'text', text: text.slice(from, found.index) })
    const code = found[0].codePointAt(0) ?? 0
    pieces.push({ kind: 'hidden', code: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` })
    from = found.index + found[0].length
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) })
  return pieces
}

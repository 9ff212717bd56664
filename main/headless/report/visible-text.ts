/**
 * Characters that can control a terminal or hide in a line: controls, format characters (zero-width, bidi marks, the byte order mark,
 * tags), fillers and variation selectors, line separators, broken surrogates, and the braille blank, which Unicode classifies as a
 * symbol.
 */
const HARMFUL = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu
/** These characters look like a space, but are ordinary characters to a shell. */
const OTHER_SPACES = /(?! )\p{Zs}/gu

/** Untrusted text with every harmful character escaped (`\x1b`, `\u202e`). Tabs and line feeds are kept. */
export function visible(text: string): string {
  return text.replace(HARMFUL, named)
}

/**
 * Escapes text that is to be signed. In addition, every unusual space is escaped, because a command with such spaces is not what it seems
 * to be.
 */
export function exactly(text: string): string {
  return visible(text).replace(OTHER_SPACES, named)
}

/** The same as `visible`, for text that must fit on one line: line feeds and tabs are escaped too. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\t\n]/g, named)
}

function named(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code > 0xffff) return `\\u{${hex}}`
  return code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`
}

/** What can drive a terminal or hide in a line: controls, zero-width, blank and bidi characters, separators, the byte order mark, tags. */
const HARMFUL =
  /[\u034f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\u{e0000}-\u{e01ef}]/gu

/** A foreign text with every harmful character named (`\x1b`, `\u202e`); tabs and line feeds stay (C11). */
export function visible(text: string): string {
  return text.replace(HARMFUL, named)
}

/** The same for a text that must stay on its line: line feeds and tabs are named as well. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\t\n]/g, named)
}

function named(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code > 0xffff) return `\\u{${hex}}`
  return code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`
}

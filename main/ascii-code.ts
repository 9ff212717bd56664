/**
 * Returns the same program in ASCII characters only. V8 keeps a source text that has one character above U+00FF in two bytes per
 * character. Throws if the code has such a character in `String.raw`, which would show the escape.
 */
export function asciiCode(code: string): string {
  const raw = /\bString\.raw`[^`]*[^\0-\x7F`][^`]*`/.exec(code)
  if (raw) throw new Error(`Write this without String.raw, because it contains a character outside ASCII: ${raw[0].slice(0, 200)}`)
  // A backslash in front of such a character has no meaning, in contrast to one in front of an escape.
  return code.replaceAll(/\\[^]|[^\0-\x7F]/g, (found) => (/[^\0-\x7F]/.test(found) ? escaped(found.at(-1) ?? '') : found))
}

/** A character above U+FFFF is escaped in two halves, which strings, templates and patterns join. */
function escaped(codeUnit: string): string {
  return `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

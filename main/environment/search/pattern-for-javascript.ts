/** The pattern uses something that only ripgrep supports. The message says what it is. */
export class NeedsRipgrep extends SyntaxError {}

const WORD = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`
/** Lines are searched one by one, so what is not a member of a class is not a line end either. */
const IN_LINE = String.raw`(?![\r\n])`
/** ripgrep's meaning of the letters after a backslash. */
const ESCAPES: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`(?:${IN_LINE}\P{Nd})`,
  s: String.raw`(?:${IN_LINE}\p{White_Space})`,
  S: String.raw`\P{White_Space}`,
  w: `[${WORD}]`,
  W: `(?:${IN_LINE}[^${WORD}])`,
  b: `(?:(?<![${WORD}])(?=[${WORD}])|(?<=[${WORD}])(?![${WORD}]))`,
  B: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  t: String.raw`\t`,
}
/** What the other parts mean. `\r\n` is a single line end. */
const SIGNS: Readonly<Record<string, string>> = {
  '.': String.raw`[^\r\n]`,
  '^': String.raw`(?:(?<=^|\n|\r(?!\n)))`,
  $: String.raw`(?:(?=$|\r|(?<!\r)\n))`,
  '(': '(?:',
  '(?:': '(?:',
  ')': ')',
  '|': '|',
}

/** What the other signs begin. */
const REFUSED: Readonly<Record<string, string>> = {
  '[': '[, a class of more than letters and digits',
  '{': 'an unescaped {',
  '\n': 'a line break',
  '\r': 'a line break',
}

/** An escape, a class of letters and digits, a group, a quantifier, or one character. */
const PART = /\\[^]|\[\^?[\w .,:;/@-]+\]|\(\?[^]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[^]/gu

/**
 * Compiles a pattern for the search without ripgrep, which searches line by line. Supports what is plain: characters, `.`, `^`, `$`,
 * `\d \s \w \b` and their opposites, `\t`, classes of ASCII letters and digits, groups, alternatives, quantifiers and a leading `(?i)`,
 * with ripgrep's meaning. Throws `NeedsRipgrep` for everything else and a `SyntaxError` for a malformed pattern.
 */
export function patternForJavaScript(pattern: string, caseSensitive: boolean): RegExp {
  const isInsensitive = !caseSensitive || pattern.startsWith('(?i)')
  const parts = pattern.replace(/^\(\?i\)/u, '').match(PART) ?? []
  return new RegExp(parts.map(translated).join(''), isInsensitive ? 'ui' : 'u')
}

function translated(part: string): string {
  const sign = Object.hasOwn(SIGNS, part) ? SIGNS[part] : undefined
  if (sign !== undefined) return sign
  if (part.startsWith('\\')) return escaped(part)
  if (part.startsWith('[') && part.length > 1) return part.startsWith('[^') ? `(?:${IN_LINE}${part})` : part
  if (/^(?:[*+?]|\{.)/u.test(part)) return part
  if (part.startsWith('(?')) throw new NeedsRipgrep(part)
  const refused = Object.hasOwn(REFUSED, part) ? REFUSED[part] : undefined
  if (refused !== undefined) throw new NeedsRipgrep(refused)
  return literal(part)
}

function escaped(part: string): string {
  const letter = part.slice(1)
  const own = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined
  if (own !== undefined) return own
  if (letter === '') throw new SyntaxError('the pattern ends with a single \\')
  if (!/^[!-~]$/u.test(letter) || /[\w<>]/u.test(letter)) throw new NeedsRipgrep(part)
  return literal(letter)
}

function literal(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

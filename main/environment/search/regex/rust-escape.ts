/**
 * Which of ripgrep's two engines a pattern is written for: its own, or PCRE2, which it takes where its own knows no such pattern
 * (look-around, references, line breaks in a search line by line).
 */
export type Dialect = 'rust' | 'pcre'

/** A part of a pattern as JavaScript has it under the flag `v`. */
export interface Piece {
  readonly source: string
  /** Characters of the pattern. */
  readonly length: number
  /** The one character that it is; null: a set, or a place. */
  readonly code: number | null
  /** It is a place between characters, which no class can hold. */
  readonly isPlace?: boolean
  /** It tells of where the text begins or ends, which a look at several lines at once cannot tell. */
  readonly needsLine?: boolean
}

const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`
const HORIZONTAL = String.raw`\t \u{a0}\u{1680}\u{180e}\u{2000}-\u{200a}\u{202f}\u{205f}\u{3000}`
const VERTICAL = String.raw`\n\v\f\r\u{85}\u{2028}\u{2029}`

const CODES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, a: 7 }

const SETS: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  s: String.raw`\p{White_Space}`,
  S: String.raw`\P{White_Space}`,
  w: WORD,
  W: `[^${WORD}]`,
}

/** In PCRE2 alone. */
const MORE_SETS: Readonly<Record<string, string>> = {
  h: `[${HORIZONTAL}]`,
  H: `[^${HORIZONTAL}]`,
  v: `[${VERTICAL}]`,
  V: `[^${VERTICAL}]`,
  N: String.raw`[^\r\n]`,
}

const START = `(?<!${WORD})(?=${WORD})`
const END = `(?<=${WORD})(?!${WORD})`
const PLACES: Readonly<Record<string, string>> = {
  b: `(?:${START}|${END})`,
  B: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
  '<': `(?:${START})`,
  '>': `(?:${END})`,
  'b{start}': `(?:${START})`,
  'b{end}': `(?:${END})`,
  'b{start-half}': `(?:(?<!${WORD}))`,
  'b{end-half}': `(?:(?!${WORD}))`,
}
/** Of the text as a whole. */
const ENDS: Readonly<Record<string, string>> = { A: '(?:^)', z: '(?:$)' }
const MORE_PLACES: Readonly<Record<string, string>> = { K: '', Z: String.raw`(?:(?=\n?$))`, R: String.raw`(?:\r\n|[${VERTICAL}])` }

/** The piece that a backslash begins. Throws a `SyntaxError` for what the dialect does not know. */
export function escapeAt(pattern: string, at: number, dialect: Dialect): Piece {
  const rest = pattern.slice(at + 1)
  const letter = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  if (rest === '') throw new SyntaxError('incomplete escape sequence, reached end of pattern prematurely')
  const named = dialect === 'rust' ? /^b\{(?:start|end)(?:-half)?\}/u.exec(rest)?.[0] : undefined
  if (named !== undefined) return { source: PLACES[named] ?? '', length: named.length + 1, code: null, isPlace: true }
  const numbered = numberedAt(rest) ?? propertyAt(rest, dialect) ?? (dialect === 'pcre' ? referenceAt(rest) : null)
  if (numbered) return numbered
  const isWordEnd = letter === '<' || letter === '>'
  const place = isWordEnd && dialect === 'pcre' ? undefined : own(PLACES, letter)
  if (place !== undefined) return { source: place, length: 2, code: null, isPlace: true }
  const end = own(ENDS, letter)
  if (end !== undefined) return { source: end, length: 2, code: null, isPlace: true, needsLine: true }
  const set = own(SETS, letter) ?? (dialect === 'pcre' ? own(MORE_SETS, letter) : undefined)
  if (set !== undefined) return { source: set, length: 2, code: null }
  const more = dialect === 'pcre' ? own(MORE_PLACES, letter) : undefined
  if (more !== undefined) return { source: more, length: 2, code: null, isPlace: true, needsLine: letter === 'Z' }
  const code = own(CODES, letter) ?? (dialect === 'rust' && letter === 'v' ? 11 : dialect === 'pcre' && letter === 'e' ? 27 : undefined)
  if (code !== undefined) return literal(code, 2)
  if (/^[\0-\x7f]$/u.test(letter) && !(dialect === 'pcre' ? /^[a-z\d]$/iu : /^\w$/u).test(letter)) return literal(letter.charCodeAt(0), 2)
  throw new SyntaxError(`unrecognized escape sequence \\${letter}`)
}

/** A character by itself. */
export function literal(code: number, length: number): Piece {
  return { source: `\\u{${code.toString(16)}}`, length, code }
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function numberedAt(rest: string): Piece | null {
  const match =
    /^(?:x(?:\{(?<braced>[\da-fA-F]+)\}|(?<two>[\da-fA-F]{2}))|u(?:\{(?<ubraced>[\da-fA-F]+)\}|(?<four>[\da-fA-F]{4}))|U(?:\{(?<Ubraced>[\da-fA-F]+)\}|(?<eight>[\da-fA-F]{8})))/u.exec(
      rest,
    )
  if (!match) return null
  const code = Number.parseInt(Object.values(match.groups ?? {}).find((digits) => digits !== undefined) ?? '', 16)
  if (code > 0x10ffff) throw new SyntaxError('the code is no character')
  return literal(code, match[0].length + 1)
}

/** `\pL`, `\p{Greek}`, `\P{sc=Greek}`, `\p{^L}`. */
function propertyAt(rest: string, dialect: Dialect): Piece | null {
  const match = /^(?<sign>[pP])(?:\{(?<not>\^?)(?<name>[^}]*)\}|(?<letter>[A-Za-z]))/u.exec(rest)
  if (!match?.groups) return null
  const { sign, not, name, letter } = match.groups
  if (not === '^' && dialect === 'rust') throw new SyntaxError('unrecognized property')
  const [, value = ''] = /^(?:\w+\s*[=:]\s*)?(.*)$/su.exec(name ?? letter ?? '') ?? []
  const title = value
    .trim()
    .split(/[\s_-]+/u)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join('_')
  const known = [value.trim(), title, title.toUpperCase(), `Script=${title}`].find(isProperty)
  if (known === undefined) throw new SyntaxError(`Unicode property not found: ${value}`)
  const isNegated = (sign === 'P') !== (not === '^')
  return { source: `\\${isNegated ? 'P' : 'p'}{${known}}`, length: match[0].length + 1, code: null }
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'v').source !== ''
  } catch {
    return false
  }
}

/** `\1`, `\g{1}`, `\k<name>`, and `\Q…\E`. */
function referenceAt(rest: string): Piece | null {
  const quoted = /^Q(?<text>.*?)(?:\\E|$)/su.exec(rest)
  if (quoted) {
    const source = [...(quoted.groups?.['text'] ?? '')].map((char) => literal(char.codePointAt(0) ?? 0, 1).source).join('')
    return { source, length: quoted[0].length + 1, code: null, isPlace: true }
  }
  const number = /^(?:(?<plain>[1-9]\d*)|g(?<glued>\d+)|g\{(?<braced>\d+)\})/u.exec(rest)
  const to = number && Object.values(number.groups ?? {}).find((digits) => digits !== undefined)
  if (number) return { source: `(?:\\${to})`, length: number[0].length + 1, code: null, isPlace: true }
  const name = /^k(?:<(?<a>\w+)>|\{(?<b>\w+)\}|'(?<c>\w+)')/u.exec(rest)
  const called = name && Object.values(name.groups ?? {}).find((word) => word !== undefined)
  return name ? { source: `(?:\\k<${called}>)`, length: name[0].length + 1, code: null, isPlace: true } : null
}

interface PatternOptions {
  readonly caseSensitive: boolean
  readonly multiline: boolean
}

/** One element of a pattern, translated for JavaScript's flag `v`. */
interface Piece {
  readonly source: string
  /** Number of characters that this element takes up in the original pattern. */
  readonly length: number
}

/** The pattern uses something that this search does not support, but ripgrep may. The message says what it is. */
export class NeedsRipgrep extends SyntaxError {}

const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`
const SETS: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  s: String.raw`\p{White_Space}`,
  S: String.raw`\P{White_Space}`,
  w: WORD,
  W: `[^${WORD}]`,
}
const WORD_BORDERS: Readonly<Record<string, string>> = {
  b: `(?:(?<!${WORD})(?=${WORD})|(?<=${WORD})(?!${WORD}))`,
  B: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
}
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11 }
/** `\r\n` is a single line end. */
const LINE_START = String.raw`(?:(?<=^|\n|\r(?!\n)))`
const LINE_END = String.raw`(?:(?=$|\r|(?<!\r)\n))`

/**
 * Compiles a pattern for the search without ripgrep. Supports what ripgrep and JavaScript have in common: characters, `.`, `^`, `$`,
 * `\d \s \w \b` and their opposites, plain classes, groups, alternatives, quantifiers and a leading `(?i)`, with ripgrep's meaning of
 * lines, words and Unicode. Throws `NeedsRipgrep` for everything else and a `SyntaxError` for a malformed pattern.
 */
export function patternForJavaScript(pattern: string, { caseSensitive, multiline }: PatternOptions): RegExp {
  const isInsensitive = !caseSensitive || pattern.startsWith('(?i)')
  const made: string[] = []
  for (let at = pattern.startsWith('(?i)') ? 4 : 0; at < pattern.length;) {
    const { source, length } = pieceAt(pattern, at, multiline)
    made.push(source)
    at += length
  }
  return new RegExp(made.join(''), `v${isInsensitive ? 'i' : ''}${multiline ? 'g' : ''}`)
}

function pieceAt(pattern: string, at: number, multiline: boolean): Piece {
  const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0)
  switch (character) {
    case '\\':
      return escapeAt(pattern, at, multiline)
    case '[':
      return classAt(pattern, at, multiline)
    case '(':
      return groupAt(pattern, at)
    case ')':
    case '|':
      return { source: character, length: 1 }
    case '*':
    case '+':
    case '?':
    case '{':
      return quantifierAt(pattern, at)
    case '.':
      return { source: multiline ? '[^]' : String.raw`[^\r\n]`, length: 1 }
    case '^':
      return { source: LINE_START, length: 1 }
    case '$':
      return { source: LINE_END, length: 1 }
    case '\n':
    case '\r':
      if (!multiline) throw new NeedsRipgrep('a line break')
      return literal(character)
    default:
      return literal(character)
  }
}

function escapeAt(pattern: string, at: number, multiline: boolean): Piece {
  const letter = pattern[at + 1] ?? ''
  const set = Object.hasOwn(SETS, letter) ? SETS[letter] : undefined
  if (set !== undefined) return { source: withinLine(set, multiline), length: 2 }
  const border = Object.hasOwn(WORD_BORDERS, letter) && pattern[at + 2] !== '{' ? WORD_BORDERS[letter] : undefined
  if (border !== undefined) return { source: border, length: 2 }
  const character = escapedCharacter(pattern, at)
  if (!multiline && /[\r\n]/u.test(character)) throw new NeedsRipgrep(`\\${letter}`)
  return { source: literal(character).source, length: 2 }
}

/** Parses an escaped control character or punctuation. */
function escapedCharacter(pattern: string, at: number): string {
  const letter = pattern[at + 1] ?? ''
  if (letter === '') throw new SyntaxError('the pattern ends with a single \\')
  const control = Object.hasOwn(CONTROLS, letter) ? CONTROLS[letter] : undefined
  if (control !== undefined) return String.fromCharCode(control)
  if (/^[!-~]$/u.test(letter) && !/[\w<>]/u.test(letter)) return letter
  throw new NeedsRipgrep(`\\${letter}`)
}

const MEMBER = String.raw`\\[^]|[^\\\]]`
const CLASS = new RegExp(String.raw`\[(?<not>\^?)(?<members>\]?(?:${MEMBER})*)\]`, 'uy')
const RANGE_OR_MEMBER = new RegExp(`(?<from>${MEMBER}|\\])(?:-(?<to>${MEMBER}))?`, 'gu')

/** Parses a class of characters, ranges and `\d`, `\s`, `\w`. */
function classAt(pattern: string, at: number, multiline: boolean): Piece {
  CLASS.lastIndex = at
  const found = CLASS.exec(pattern)
  const text = found?.[0] ?? ''
  const not = found?.groups?.['not'] ?? ''
  const members = found?.groups?.['members'] ?? ''
  if (text === '' || members === '') throw new SyntaxError('a class is not closed')
  const special = /\[|&&|--|~~/u.exec(members)?.[0]
  if (special !== undefined) throw new NeedsRipgrep(`${special} inside a class`)
  if (!multiline && not === '' && /^(?:\\[rn]|[\r\n])+$/u.test(members)) throw new NeedsRipgrep('a class of line ends')
  const sources = [...members.matchAll(RANGE_OR_MEMBER)].map(({ groups: range }) => {
    const from = range?.['from'] ?? ''
    const to = range?.['to']
    return to === undefined ? memberSource(from) : `${rangeEnd(from)}-${rangeEnd(to)}`
  })
  return { source: withinLine(`[${not}${sources.join('')}]`, multiline), length: text.length }
}

function memberSource(member: string): string {
  const set = member.startsWith('\\') && Object.hasOwn(SETS, member.slice(1)) ? SETS[member.slice(1)] : undefined
  return set ?? rangeEnd(member)
}

function rangeEnd(member: string): string {
  return literal(member.startsWith('\\') ? escapedCharacter(member, 0) : member).source
}

function groupAt(pattern: string, at: number): Piece {
  const head = /^\((?:\?(?:<?[=!]|P?<\w*|.)?)?/u.exec(pattern.slice(at))?.[0] ?? '('
  if (head === '(') return { source: '(?:', length: 1 }
  if (pattern.startsWith('(?:', at)) return { source: '(?:', length: 3 }
  throw new NeedsRipgrep(head)
}

function quantifierAt(pattern: string, at: number): Piece {
  const text = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/u.exec(pattern.slice(at))?.[0]
  if (text === undefined) throw new NeedsRipgrep('{ without a number; write \\{ for the character itself')
  if (/[*+?{]/u.test(pattern[at + text.length] ?? '')) throw new NeedsRipgrep('a repeated quantifier')
  return { source: text, length: text.length }
}

/** If lines are searched one by one, ripgrep's sets never match a line end. */
function withinLine(set: string, multiline: boolean): string {
  return multiline ? set : `[${set}--[\\r\\n]]`
}

function literal(character: string): Piece {
  return { source: `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`, length: character.length }
}

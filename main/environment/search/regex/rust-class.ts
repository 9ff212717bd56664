import { type Dialect, escapeAt, literal, type Piece } from './rust-escape.ts'

/** Names of POSIX classes as ripgrep has them (ASCII), as what stands inside a JavaScript class. */
const POSIX: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: String.raw`\s`,
  blank: String.raw` \t`,
  punct: String.raw`\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e`,
  xdigit: 'A-Fa-f0-9',
  word: 'A-Za-z0-9_',
  cntrl: String.raw`\x00-\x1f\x7f`,
  print: String.raw`\x20-\x7e`,
  graph: String.raw`\x21-\x7e`,
  ascii: String.raw`\x00-\x7f`,
}

/** What is told of two classes by `&&`, `--` and `~~`. */
const OPERATIONS: Readonly<Record<string, (a: string, b: string) => string>> = {
  '&&': (a, b) => `[${a}&&${b}]`,
  '--': (a, b) => `[${a}--${b}]`,
  '~~': (a, b) => `[[${a}--${b}][${b}--${a}]]`,
}

/** A class as JavaScript has it under the flag `v`: nested ones and operations (ripgrep's own engine), ranges, POSIX names, escapes. */
export function classAt(pattern: string, start: number, dialect: Dialect): Piece {
  const isNegated = pattern[start + 1] === '^'
  const first = start + (isNegated ? 2 : 1)
  let told: ((rest: string) => string) | null = null
  let members = ''
  for (let at = first; at < pattern.length;) {
    const operation = dialect === 'rust' ? OPERATIONS[pattern.slice(at, at + 2)] : undefined
    if (pattern[at] === ']' && at > first) {
      const whole = told ? told(`[${members}]`) : `[${members}]`
      return { source: isNegated ? `[^${whole}]` : whole, length: at + 1 - start, code: null }
    }
    if (operation && at > first) {
      const left: string = told ? told(`[${members}]`) : `[${members}]`
      told = (right) => operation(left, right)
      members = ''
      at += 2
    } else {
      const member = memberAt(pattern, at, dialect)
      members += member.source
      at += member.length
    }
  }
  throw new SyntaxError('unclosed character class')
}

/** One character, range or set among others. */
function memberAt(pattern: string, at: number, dialect: Dialect): Piece {
  const named = /^\[:(?<not>\^?)(?<name>\w+):\]/u.exec(pattern.slice(at))
  const posix = POSIX[named?.groups?.['name'] ?? '']
  if (named && posix !== undefined) {
    return { source: `[${named.groups?.['not'] ?? ''}${posix}]`, length: named[0].length, code: null }
  }
  if (pattern[at] === '[' && dialect === 'rust') return classAt(pattern, at, dialect)
  const from = characterAt(pattern, at, dialect)
  const dash = at + from.length
  const isRange = from.code !== null && pattern[dash] === '-' && !['', ']'].includes(pattern[dash + 1] ?? '')
  if (!isRange || (dialect === 'rust' && pattern[dash + 1] === '-')) return from
  const to = characterAt(pattern, dash + 1, dialect)
  if (to.code === null || to.code < (from.code ?? 0)) throw new SyntaxError('invalid character class range')
  return { source: `${from.source}-${to.source}`, length: from.length + 1 + to.length, code: null }
}

function characterAt(pattern: string, at: number, dialect: Dialect): Piece {
  if (pattern[at] === '\\') {
    // In a class it is a backspace.
    if (dialect === 'pcre' && pattern[at + 1] === 'b') return literal(8, 2)
    const piece = escapeAt(pattern, at, dialect)
    if (piece.isPlace === true) throw new SyntaxError('this escape sequence is not allowed in a character class')
    return piece
  }
  const code = pattern.codePointAt(at) ?? 0
  return literal(code, code > 0xffff ? 2 : 1)
}

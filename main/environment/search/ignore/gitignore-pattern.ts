import { Buffer } from 'node:buffer'
import {
  repeated,
  CHARACTER,
  linearMatcher,
  one,
  optional,
  type Pattern,
  sequence,
  text,
} from '../../../../shared/lib/pattern/linear-matcher.ts'

/** The meaning of `[:name:]` in brackets, as part of a regular expression. Only ASCII, as in git. */
export const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: String.raw` \t`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: '0-9',
  graph: String.raw`\x21-\x7e`,
  lower: 'a-z',
  print: String.raw`\x20-\x7e`,
  punct: String.raw`\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e`,
  space: String.raw`\t\n\r `,
  upper: 'A-Z',
  xdigit: 'A-Fa-f0-9',
}

/**
 * Turns a pattern of a `.gitignore`, without its `!` and final slash, into a test of paths. It compares byte by byte as git does: `*` and
 * `?` stop at a slash, `**` between slashes spans folders, `[…]` may contain ranges and POSIX classes, and `{` is an ordinary character.
 * Null if the pattern can match nothing.
 */
export function gitignorePattern(pattern: string, isAnchored: boolean): ((path: string) => boolean) | null {
  const bytes = bytesOf(pattern.startsWith('/') ? pattern.slice(1) : pattern)
  // The literal beginning is removed first, so that stars after it are treated as if they began the pattern.
  const plain = /^[^*?[\\]*/u.exec(bytes)?.[0] ?? ''
  const parts = translate(bytes.slice(plain.length))
  if (parts === null || bytes === '') return null
  const matches = linearMatcher(sequence([text(plain), ...parts]))
  return (path) => matches(bytesOf(isAnchored ? path : path.slice(path.lastIndexOf('/') + 1)))
}

/** Converts text to a string with one character per byte of its UTF-8 form. */
function bytesOf(given: string): string {
  return /^[\0-\x7f]*$/u.test(given) ? given : Buffer.from(given).toString('latin1')
}

function translate(glob: string): readonly Pattern[] | null {
  const parts: Pattern[] = []
  for (let at = 0; at < glob.length;) {
    const piece = pieceAt(glob, at)
    if (piece === null) return null
    parts.push(piece.pattern)
    at += piece.length
  }
  return parts
}

interface Piece {
  readonly pattern: Pattern
  readonly length: number
}

/** One byte of a name. */
const OF_NAME = one('[^/]')

function pieceAt(glob: string, at: number): Piece | null {
  const char = glob[at] ?? ''
  switch (char) {
    case '*':
      return starsAt(glob, at)
    case '?':
      return { pattern: OF_NAME, length: 1 }
    case '[':
      return classAt(glob, at)
    case '\\': {
      const next = glob[at + 1]
      return next === undefined ? null : { pattern: text(next), length: 2 }
    }
    default:
      return { pattern: text(char), length: 1 }
  }
}

function starsAt(glob: string, at: number): Piece {
  const length = /^\*+/u.exec(glob.slice(at))?.[0].length ?? 1
  const rest = glob.slice(at + length)
  const spans = length > 1 && (at === 0 || glob[at - 1] === '/') && /^(?:$|\/|\\\/)/u.test(rest)
  if (!spans) return { pattern: repeated(OF_NAME), length }
  if (!rest.startsWith('/')) return { pattern: repeated(CHARACTER), length }
  return { pattern: optional(sequence([repeated(CHARACTER), text('/')])), length: length + 1 }
}

/**
 * Parses `[abc]`, `[a-z]`, `[!a]`, `[^a]`. A `]` directly after the bracket is an ordinary character. Null if the class does not end, or
 * contains an unknown class name.
 */
function classAt(glob: string, start: number): Piece | null {
  const isNegated = /[!^]/u.test(glob[start + 1] ?? '')
  const first = start + (isNegated ? 2 : 1)
  let members = ''
  /** The character at which a range may begin. Null after a range or a class. */
  let previous: string | null = null
  for (let at = first; at < glob.length;) {
    if (glob[at] === ']' && at > first) return { pattern: one(`(?!/)[${isNegated ? '^' : ''}${members}]`), length: at + 1 - start }
    const named = /^\[:(?<name>[^\]]*):\]/u.exec(glob.slice(at))
    const range = previous === null ? null : /^-(?!\])\\?(?<to>.)/su.exec(glob.slice(at))
    if (named) {
      const name = named.groups?.['name'] ?? ''
      const own = Object.hasOwn(POSIX_CLASSES, name) ? POSIX_CLASSES[name] : undefined
      if (own === undefined) return null
      members += own
      at += named[0].length
      previous = null
    } else if (range && previous !== null) {
      const to = range.groups?.['to'] ?? ''
      if (previous <= to) members += `${hex(previous)}-${hex(to)}`
      at += range[0].length
      previous = null
    } else {
      if (glob[at] === '\\') at++
      previous = glob[at] ?? ''
      members += previous === '' ? '' : hex(previous)
      at++
    }
  }
  return null
}

function hex(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`
}

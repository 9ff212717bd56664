import { failed, ok, type Result } from '../../../../shared/lib/result.ts'
import { CHARACTER, either, one, optional, type Pattern, repeated, sequence, text } from '../../../../shared/lib/pattern/linear-matcher.ts'

/** The meaning of `[:name:]` in brackets, as part of a regular expression. Only ASCII, as in git. */
const POSIX_CLASSES: Readonly<Record<string, string>> = {
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

interface Piece {
  readonly pattern: Pattern
  readonly length: number
}

/** A class that is neither negated nor contains a named class. */
const PLAIN_CLASS = /^\[(?![!^]|.*\[:)/u

/** One character of a name. */
const OF_NAME = one('[^/]')

/**
 * What paths must consist of to match a glob without braces, or why the glob is malformed. `*` and `?` stop at a slash, `**` between
 * slashes spans folders, `[…]` may contain ranges and POSIX classes, and a backslash makes the next character literal. For people, a range
 * that runs backwards is malformed, and a class in a name without stars also matches its own text, because there are folders called `[id]`.
 * For git, such a range is empty.
 */
export function pathPattern(glob: string, reader: 'git' | 'person'): Result<Pattern, string> {
  const parts: Pattern[] = []
  for (let at = 0; at < glob.length;) {
    const piece = pieceAt(glob, at, reader === 'git')
    if (!piece.ok) return piece
    const { pattern, length } = piece.value
    const written = glob.slice(at, at + length)
    const isAlsoText = reader === 'person' && PLAIN_CLASS.test(written) && !nameAround(glob, at).includes('*')
    parts.push(isAlsoText ? either([pattern, text(written)]) : pattern)
    at += length
  }
  return ok(sequence(parts))
}

function nameAround(glob: string, at: number): string {
  const end = glob.indexOf('/', at)
  return glob.slice(glob.lastIndexOf('/', at) + 1, end < 0 ? undefined : end)
}

function pieceAt(glob: string, at: number, isLenient: boolean): Result<Piece, string> {
  switch (glob[at]) {
    case '*':
      return ok(starsAt(glob, at))
    case '?':
      return ok({ pattern: OF_NAME, length: 1 })
    case '[':
      return classAt(glob, at, isLenient)
    case '\\': {
      const next = characterAt(glob, at + 1)
      if (next === '') return failed(String.raw`it ends with a single \; write \\ for the character itself`)
      return ok({ pattern: text(next), length: next.length + 1 })
    }
    default: {
      const character = characterAt(glob, at)
      return ok({ pattern: text(character), length: character.length })
    }
  }
}

function characterAt(glob: string, at: number): string {
  const code = glob.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function starsAt(glob: string, at: number): Piece {
  const length = /^\*+/u.exec(glob.slice(at))?.[0].length ?? 1
  const rest = glob.slice(at + length)
  const spans = length > 1 && (at === 0 || glob[at - 1] === '/') && /^(?:$|\/|\\\/)/u.test(rest)
  if (!spans) return { pattern: repeated(OF_NAME), length }
  if (!rest.startsWith('/')) return { pattern: repeated(CHARACTER), length }
  return { pattern: optional(sequence([repeated(CHARACTER), text('/')])), length: length + 1 }
}

/** Parses `[abc]`, `[a-z]`, `[!a]`, `[^a]`. A `]` directly after the bracket is an ordinary character. */
function classAt(glob: string, start: number, isLenient: boolean): Result<Piece, string> {
  const isNegated = /[!^]/u.test(glob[start + 1] ?? '')
  const first = start + (isNegated ? 2 : 1)
  let members = ''
  /** The character at which a range may begin. Empty after a range or a class. */
  let previous = ''
  let isBackwards = false
  for (let at = first; at < glob.length;) {
    if (glob[at] === ']' && at > first) {
      if (isBackwards && !isLenient)
        return failed(String.raw`a range in one of its classes runs backwards; write \[ for the character itself`)
      return ok({ pattern: one(`(?!/)[${isNegated ? '^' : ''}${members}]`), length: at + 1 - start })
    }
    const named = /^\[:(?<name>[^\]]*):\]/u.exec(glob.slice(at))
    const range = previous === '' ? null : /^-(?!\])\\?(?<to>.)/su.exec(glob.slice(at))
    if (named) {
      const name = named.groups?.['name'] ?? ''
      const own = Object.hasOwn(POSIX_CLASSES, name) ? POSIX_CLASSES[name] : undefined
      if (own === undefined) return failed(`there is no class ${named[0]}; the classes are ${Object.keys(POSIX_CLASSES).join(', ')}`)
      members += own
      at += named[0].length
      previous = ''
    } else if (range) {
      const to = range.groups?.['to'] ?? ''
      if (previous <= to) members += `${escaped(previous)}-${escaped(to)}`
      else isBackwards = true
      at += range[0].length
      previous = ''
    } else {
      if (glob[at] === '\\') at++
      previous = characterAt(glob, at)
      members += escaped(previous)
      at += Math.max(previous.length, 1)
    }
  }
  return failed(String.raw`[ has no ]; write \[ for the character itself`)
}

function escaped(character: string): string {
  return character === '' ? '' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

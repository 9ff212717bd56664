import { repeated, CHARACTER, either, one, optional, type Pattern, sequence, text } from '../../../../shared/lib/pattern/linear-matcher.ts'
import { globClassAt } from './glob-class.ts'

/**
 * One element of a glob, as a pattern and as a simpler glob (`atLeast`). The simpler glob matches at least as much, and tinyglobby and
 * ripgrep read it as Countersign does. `opens`, `next` and `closes` are the characters of alternatives (`{`, `,` and `}`).
 */
export type GlobPiece =
  | { readonly kind: 'plain'; readonly pattern: Pattern; readonly atLeast: string; readonly length: number }
  | { readonly kind: 'opens' | 'next' | 'closes'; readonly atLeast: string; readonly length: 1 }
  | { readonly kind: 'malformed'; readonly why: string }

const malformed = (why: string): GlobPiece => ({ kind: 'malformed', why })

/** An element that every matcher reads in the same way. */
const common = (pattern: Pattern, glob: string): GlobPiece => ({ kind: 'plain', pattern, atLeast: glob, length: glob.length })
/** An element that matchers read differently, so `*` replaces it. */
const own = (pattern: Pattern, length: number): GlobPiece => ({ kind: 'plain', pattern, atLeast: '*', length })

/** One character of a name. */
const OF_NAME = one('[^/]')

/** Characters that have a meaning in some dialect. */
const SPECIAL = /[\\*?[\]{}()!+@|,]/u
/** `@(…)`, `+(…)` and `!(…)`, and `(a|b)` after any character. */
const EXTENDED = /^(?:[@+!]\([^()]*\)|[?*]?\([^()]*\|[^()]*\))/u

/** The element at `at`. `depth`: the number of braces that are open at this position. */
export function globPieceAt(glob: string, at: number, depth: number): GlobPiece {
  const rest = glob.slice(at)
  return bracketAt(rest, depth) ?? starsAt(rest, at === 0, at === 0 || glob[at - 1] === '/') ?? characterAt(rest, hasNoStars(glob, at))
}

function hasNoStars(glob: string, at: number): boolean {
  const end = glob.indexOf('/', at)
  return !glob.slice(glob.lastIndexOf('/', at) + 1, end < 0 ? undefined : end).includes('*')
}

function bracketAt(rest: string, depth: number): GlobPiece | null {
  const extended = EXTENDED.exec(rest)?.[0]
  // To ripgrep, these brackets are literal characters. It would find nothing and give no reason.
  if (extended !== undefined)
    return malformed(`${extended} is not supported; write {a,b} for alternatives, or \\( for the character itself`)
  switch (rest[0]) {
    case '{':
      return rangeAt(rest) ?? { kind: 'opens', atLeast: '{', length: 1 }
    case '}':
      if (depth === 0) return malformed(String.raw`} has no {; write \} for the character itself`)
      return { kind: 'closes', atLeast: '}', length: 1 }
    case ',':
      return depth > 0 ? { kind: 'next', atLeast: ',', length: 1 } : null
    default:
      return null
  }
}

/** Maximum number of names to which a range in braces may expand. */
const MAX_NAMES = 1000
const RANGE = /^\{(?:(?<a>[a-zA-Z])\.\.(?<z>[a-zA-Z])|(?<from>-?\d{1,6})\.\.(?<to>-?\d{1,6}))(?:\.\.(?<step>-?\d{1,6}))?\}/u

/** A range as in shells: `{1..3}`, `{01..10}` (which keeps the leading zeros), `{a..e}`, `{0..10..5}`. */
function rangeAt(rest: string): GlobPiece | null {
  const found = RANGE.exec(rest)
  const { a, z, from = '', to = '', step = '1' } = found?.groups ?? {}
  if (!found) return null
  const [start, end] = a !== undefined && z !== undefined ? [a.charCodeAt(0), z.charCodeAt(0)] : [Number(from), Number(to)]
  const apart = Math.abs(Number(step)) || 1
  const count = Math.floor(Math.abs(end - start) / apart) + 1
  if (count > MAX_NAMES) return malformed(`${found[0]} stands for more than ${MAX_NAMES} numbers`)
  const digits = [from, to].some((each) => /^-?0\d/u.test(each)) ? Math.max(from.length, to.length) : 0
  const numbers = Array.from({ length: count }, (_, index) => start + Math.sign(end - start) * index * apart)
  const names = numbers.map((number) => (a === undefined ? padded(number, digits) : String.fromCharCode(number)))
  return own(either(names.map((name) => text(name))), found[0].length)
}

function padded(number: number, digits: number): string {
  return number < 0 ? `-${String(-number).padStart(digits - 1, '0')}` : String(number).padStart(digits, '0')
}

function starsAt(rest: string, isFirst: boolean, startsName: boolean): GlobPiece | null {
  const spanning = startsName ? /^(?:\*\*\/)+/u.exec(rest)?.[0] : undefined
  if (spanning !== undefined) return common(optional(sequence([repeated(CHARACTER), text('/')])), spanning)
  if (rest === '**' && startsName) return common(isFirst ? repeated(CHARACTER) : sequence([CHARACTER, repeated(CHARACTER)]), rest)
  const stars = /^\*+/u.exec(rest)?.[0]
  return stars === undefined ? null : own(repeated(OF_NAME), stars.length)
}

/** `orItself`: whether a class also matches its own text literally. */
function characterAt(rest: string, orItself: boolean): GlobPiece {
  if (rest.startsWith('?')) return own(OF_NAME, 1)
  if (rest.startsWith('[')) {
    const found = globClassAt(rest, orItself)
    return 'why' in found ? malformed(found.why) : own(found.pattern, found.length)
  }
  const isEscaped = rest.startsWith('\\')
  const character = String.fromCodePoint(...[rest.codePointAt(isEscaped ? 1 : 0)].filter((code) => code !== undefined))
  if (character === '') return malformed(String.raw`it ends with a single \; write \\ for the character itself`)
  // Because tinyglobby may read \d as a digit, only characters that are special in some dialect keep their backslash.
  const atLeast = isEscaped && SPECIAL.test(character) ? `\\${character}` : character
  return { kind: 'plain', pattern: text(character), atLeast, length: character.length + (isEscaped ? 1 : 0) }
}

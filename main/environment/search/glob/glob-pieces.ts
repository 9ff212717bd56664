import { escapedText, globClassAt } from './glob-class.ts'
import { globRangeAt } from './glob-range.ts'

/** A group that has begun: what stands between its parts, and how it began and ends. */
export interface GlobGroup {
  readonly between: ',' | '|'
  readonly begin: '{' | '('
  readonly end: '}' | ')'
  /** How often it may be there, as expressions say it; `!` is what it must not be. */
  readonly repeated: string
}

/** What stands at one place of a glob: as an expression, and as a glob that whoever lists files understands and that matches no less. */
export type GlobPiece =
  | { readonly kind: 'plain' | 'closes'; readonly source: string; readonly atLeast: string; readonly length: number }
  | { readonly kind: 'opens'; readonly source: string; readonly atLeast: string; readonly length: number; readonly group: GlobGroup }
  | { readonly kind: 'malformed'; readonly why: string }

const malformed = (why: string): GlobPiece => ({ kind: 'malformed', why })

/** A piece that means the same to everybody. */
const shared = (source: string, text: string): GlobPiece => ({ kind: 'plain', source, atLeast: text, length: text.length })
const own = (source: string, text: string): GlobPiece => ({ kind: 'plain', source, atLeast: '*', length: text.length })

export const unended = (begin: string, end: string): string => `${begin} has no ${end}; write \\${begin} for the character itself`

/** What has a meaning somewhere. */
const SPECIAL = /[\\*?[\]{}()!+@|,]/u

/** By the character in front of round brackets. */
const REPEATED: Readonly<Record<string, string>> = { '@': '', '?': '?', '*': '*', '+': '+', '!': '!' }

/** `open`: the groups that have begun and not ended, the innermost last. */
export function globPieceAt(glob: string, at: number, open: readonly GlobGroup[]): GlobPiece {
  const rest = glob.slice(at)
  const orItself = open.every(({ end }) => end === '}') && hasNoStars(glob, at)
  return groupAt(rest, open) ?? starsAt(rest, at === 0, at === 0 || glob[at - 1] === '/') ?? characterAt(rest, orItself)
}

/** Whether nothing between the slashes around `at` stands for a text of any length. */
function hasNoStars(glob: string, at: number): boolean {
  const end = glob.indexOf('/', at)
  return !/\*|[+!]\(/u.test(glob.slice(glob.lastIndexOf('/', at) + 1, end < 0 ? undefined : end))
}

function groupAt(rest: string, open: readonly GlobGroup[]): GlobPiece | null {
  const inner = open.at(-1)
  const first = rest[0] ?? ''
  const repeated = rest[1] === '(' ? REPEATED[first] : undefined
  if (repeated === '!' && open.length > 0) return malformed('what stands in round brackets holds no !(…)')
  if (repeated !== undefined) {
    return { kind: 'opens', source: '(?:', atLeast: '*', length: 2, group: { between: '|', begin: '(', end: ')', repeated } }
  }
  if (first === inner?.end) return { kind: 'closes', source: `)${inner.repeated}`, atLeast: first, length: 1 }
  if (first === inner?.between) return shared('|', first)
  if (first === '/' && open.some(({ end }) => end === ')')) {
    return malformed('what stands in round brackets holds no /; alternatives are written {a/b,c} here')
  }
  if (first === '{') return rangeAt(rest) ?? openBrace
  if (first === '}') return malformed(String.raw`} has no {; write \} for the character itself`)
  if (/^\([^()]*\|[^()]*\)/u.test(rest)) return malformed('alternatives are written {a,b} here')
  return null
}

const openBrace: GlobPiece = {
  kind: 'opens',
  source: '(?:',
  atLeast: '{',
  length: 1,
  group: { between: ',', begin: '{', end: '}', repeated: '' },
}

function rangeAt(rest: string): GlobPiece | null {
  const range = globRangeAt(rest)
  if (!range) return null
  return range.names ? own(`(?:${range.names.join('|')})`, range.text) : malformed(`${range.text} names more than 1000 numbers`)
}

function starsAt(rest: string, isFirst: boolean, starts: boolean): GlobPiece | null {
  const spanning = starts ? /^(?:\*\*\/)+/u.exec(rest)?.[0] : undefined
  if (spanning !== undefined) return shared('(?:.*/)?', spanning)
  if (rest === '**' && starts) return shared(isFirst ? '.*' : '.+', rest)
  // The last one may belong to round brackets.
  const stars = /^\*+(?!\()/u.exec(rest)?.[0]
  return stars === undefined ? null : own('[^/]*', stars)
}

function characterAt(rest: string, orItself: boolean): GlobPiece {
  if (rest.startsWith('?')) return own('[^/]', '?')
  if (rest.startsWith('[')) {
    const found = globClassAt(rest, orItself)
    return 'why' in found ? malformed(found.why) : own(found.source, found.text)
  }
  const isPlain = rest.startsWith('\\')
  const character = String.fromCodePoint(...[rest.codePointAt(isPlain ? 1 : 0)].filter((code) => code !== undefined))
  if (character === '') return malformed(String.raw`it ends with a single \; write \\ for the character itself`)
  // Whoever lists files may take \d for a digit.
  const atLeast = isPlain && SPECIAL.test(character) ? `\\${character}` : character
  return { kind: 'plain', source: escapedText(character), atLeast, length: character.length + (isPlain ? 1 : 0) }
}

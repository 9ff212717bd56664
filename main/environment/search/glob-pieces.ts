/** A group that has begun: what stands between its parts, and how it began and ends. */
export interface GlobGroup {
  readonly between: ',' | '|'
  readonly begin: '{' | '('
  readonly end: '}' | ')'
  /** How often it may be there, as expressions say it. */
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

/** By the character in front of round brackets. */
const REPEATED: Readonly<Record<string, string>> = { '@': '', '?': '?', '*': '*', '+': '+' }

/** `open`: the groups that have begun and not ended, the innermost last. */
export function globPieceAt(glob: string, at: number, open: readonly GlobGroup[]): GlobPiece {
  const rest = glob.slice(at)
  return groupAt(rest, open) ?? starsAt(rest, at === 0, at === 0 || glob[at - 1] === '/') ?? characterAt(rest)
}

function groupAt(rest: string, open: readonly GlobGroup[]): GlobPiece | null {
  const inner = open.at(-1)
  const first = rest[0] ?? ''
  const repeated = rest[1] === '(' ? REPEATED[first] : undefined
  if (repeated !== undefined) {
    return { kind: 'opens', source: '(?:', atLeast: '*', length: 2, group: { between: '|', begin: '(', end: ')', repeated } }
  }
  if (rest.startsWith('!(')) return malformed(String.raw`there is no !(…) here; write !\( for the characters themselves`)
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

/** Numbers that a range of braces names at most. */
const LONGEST_RANGE = 1000

/** `{1..3}`; `{01..10}` keeps the digits. */
function rangeAt(rest: string): GlobPiece | null {
  const [whole, from, to] = /^\{(\d{1,6})\.\.(\d{1,6})\}/u.exec(rest) ?? []
  if (whole === undefined || from === undefined || to === undefined) return null
  const [first, last] = [Number(from), Number(to)].toSorted((a, b) => a - b) as [number, number]
  if (last - first >= LONGEST_RANGE) return malformed(`${whole} names more than ${LONGEST_RANGE} numbers`)
  const digits = [from, to].some((end) => /^0./u.test(end)) ? Math.max(from.length, to.length) : 0
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => String(first + index).padStart(digits, '0'))
  return own(`(?:${numbers.join('|')})`, whole)
}

function starsAt(rest: string, isFirst: boolean, starts: boolean): GlobPiece | null {
  const spanning = starts ? /^(?:\*\*\/)+/u.exec(rest)?.[0] : undefined
  if (spanning !== undefined) return shared('(?:.*/)?', spanning)
  if (rest === '**' && starts) return shared(isFirst ? '.*' : '.+', rest)
  // The last one may belong to round brackets.
  const stars = /^\*+(?!\()/u.exec(rest)?.[0]
  return stars === undefined ? null : own('[^/]*', stars)
}

function characterAt(rest: string): GlobPiece {
  if (rest.startsWith('?')) return own('[^/]', '?')
  if (rest.startsWith('[')) return classAt(rest)
  const isPlain = rest.startsWith('\\')
  const character = String.fromCodePoint(...[rest.codePointAt(isPlain ? 1 : 0)].filter((code) => code !== undefined))
  if (character === '') return malformed(String.raw`it ends with a single \; write \\ for the character itself`)
  return shared(escaped(character), isPlain ? `\\${character}` : character)
}

/** `[abc]`, `[a-z]`, `[!a]`, `[^a]`; a `]` directly behind the bracket is an ordinary character; no slash. */
function classAt(rest: string): GlobPiece {
  const [whole, negation, members] = /^\[([!^]?)(\]?[^\]]*)\]/u.exec(rest) ?? []
  if (!whole || !members) return malformed(unended('[', ']'))
  if (/\[:\w*:$/u.test(members)) return malformed('there are no named classes here; write [a-z] for [[:lower:]]')
  const source = [...members].map((member, index, all) => {
    const isRange = member === '-' && index > 0 && index < all.length - 1
    return isRange ? '-' : member.replace(/[\^\\\]-]/u, String.raw`\$&`)
  })
  return own(`(?!/)[${negation ? '^' : ''}${source.join('')}]`, whole)
}

function escaped(character: string): string {
  return /^[\^$\\.*+?()[\]{}|/]$/u.test(character) ? `\\${character}` : character
}

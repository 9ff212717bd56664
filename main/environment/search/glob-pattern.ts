import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { type GlobGroup, type GlobPiece, globPieceAt, unended } from './glob-pieces.ts'
import { joinedOneWay } from './one-way-stars.ts'
import { whyNotRepeated } from './repeated-group.ts'
import { everythingBelow, hasManyWays } from './ways.ts'

export interface GlobPattern {
  /** Over a whole path, with `/`. */
  readonly expression: RegExp
  /** A glob of literal characters, stars and braces alone, for whoever lists files: it matches what this one does, and may match more. */
  readonly atLeast: string
  /** `atLeast` matches no more. */
  readonly isExact: boolean
}

/**
 * One glob in the dialect of `.gitignore` and of ripgrep's `-g`: `*` and `?` stop at a slash, `**` between slashes spans folders, classes,
 * `{a,b}`, and a backslash makes the next character ordinary. As shells have them besides: `{1..3}`, and `@(a|b)`, `?(a|b)`, `*(a|b)`,
 * `+(a|b)`, which are there once, at most once, any number of times, at least once. A failure says what is not well formed.
 */
export function parseGlob(glob: string, caseSensitive = true): Result<GlobPattern, string> {
  const sources: string[] = []
  const atLeast: string[] = []
  const open: (GlobGroup & { readonly from: number })[] = []
  let isExact = true
  for (let at = 0; at < glob.length;) {
    const piece: GlobPiece = globPieceAt(glob, at, open)
    if (piece.kind === 'malformed') return failed(piece.why)
    if (!open.some(({ end }) => end === ')') && !(piece.atLeast === '*' && atLeast.at(-1) === '*')) atLeast.push(piece.atLeast)
    if (piece.kind === 'opens') open.push({ ...piece.group, from: at + piece.length })
    const closed = piece.kind === 'closes' ? open.pop() : undefined
    const why = closed && /[*+]/u.test(closed.repeated) ? whyNotRepeated(glob.slice(closed.from, at), caseSensitive) : null
    if (why !== null) return failed(why)
    isExact &&= piece.atLeast === glob.slice(at, at + piece.length)
    sources.push(piece.source)
    at += piece.length
  }
  if (hasManyWays(glob, true)) return failed('it can be read in too many ways; write it with fewer stars, alternatives and **')
  const left = open.at(-1)
  if (left) return failed(unended(left.begin, left.end))
  try {
    const expression = new RegExp(`^${joinedOneWay(sources)}$`, caseSensitive ? 'su' : 'sui')
    const [all, few] = [atLeast.join(''), withFewStars(atLeast.join(''))]
    const others = hasManyWays(few, false) ? everythingBelow(few) : few
    return ok({ expression, atLeast: others, isExact: isExact && others === all })
  } catch {
    return failed('a range of its classes runs backwards')
  }
}

/** Of many stars between two slashes whoever lists files gets one for all, since it may try each in every way. */
function withFewStars(glob: string): string {
  return glob.replaceAll(/[^/*{}\\]*(?:\*[^/*{}\\]+){2,}\*[^/{}\\]*(?=\/|$)/gu, (part, at: number) =>
    at === 0 || glob[at - 1] === '/' ? part.replace(/\*[^]*\*/u, '*') : part,
  )
}

import { type Result, failed, ok } from '../../../../shared/lib/result.ts'
import { type GlobGroup, type GlobPiece, globPieceAt, unended } from './glob-pieces.ts'
import { joinedOneWay, STAR } from './one-way-stars.ts'
import { whyNotRepeated } from './repeated-group.ts'
import { spreadBraces } from './spread-braces.ts'
import { everythingBelow, hasManyWays } from './ways.ts'

export interface GlobPattern {
  /** Of a whole path, with `/`. */
  matches(path: string): boolean
  /** Globs of literal characters, stars and braces alone, for whoever lists files: together they match what this one does, and may match more. */
  readonly atLeast: readonly string[]
  /** `atLeast` matches no more. */
  readonly isExact: boolean
}

/**
 * One glob in the dialect of `.gitignore` and of ripgrep's `-g`: `*` and `?` stop at a slash, `**` between slashes spans folders, classes,
 * `{a,b}`, and a backslash makes the next character ordinary. As shells have them besides: `{1..3}`, `{a..c}`, and `@(a|b)`, `?(a|b)`, `*(a|b)`,
 * `+(a|b)`, `!(a|b)`, which are there once, at most once, any number of times, at least once, and anything but one of them. Without stars a
 * glob matches what is called like it, too, and so does each of its classes: names hold brackets and braces. A failure says what is not well
 * formed.
 */
export function parseGlob(glob: string, caseSensitive = true): Result<GlobPattern, string> {
  const globs = spreadOf(glob)
  if (globs === null) return failed('its braces stand for too many paths; name fewer alternatives')
  const parsed: Plain[] = []
  for (const each of globs) {
    const one = parsePlain(each, caseSensitive)
    if (!one.ok) return one
    parsed.push(one.value)
  }
  if (hasManyWays(globs, true)) return failed('it can be read in too many ways; write it with fewer stars, alternatives and **')
  const few = parsed.map(({ atLeast }) => withFewStars(atLeast))
  const others = hasManyWays(few, false) ? few.map((each) => everythingBelow(each)) : few
  const means = (path: string): boolean => parsed.some(({ expression }) => expression.test(path))
  const [anywhere, name] = glob.startsWith('**/') ? ['**/', glob.slice(3)] : ['', glob]
  const itself = name.includes('*') || means(name) ? null : globOfPath(name)
  return ok({
    matches: (path) => means(path) || (itself !== null && (path === name || (anywhere !== '' && path.endsWith(`/${name}`)))),
    atLeast: [...others, ...(itself?.atLeast ?? []).map((each) => anywhere + each)],
    isExact: parsed.every(({ atLeast, isExact }, index) => isExact && atLeast === others[index]),
  })
}

/** Alternatives between stars are spread where they can be read in too many ways: then only one star of a name is tried in every way. */
function spreadOf(glob: string): readonly string[] | null {
  const globs = spreadBraces(glob, false)
  return globs && hasManyWays(globs, true) ? (spreadBraces(glob, true) ?? globs) : globs
}

/** The glob that matches one path alone, whatever characters it holds. */
export function globOfPath(path: string): GlobPattern {
  return { matches: (other) => other === path, atLeast: [path.replaceAll(/[\\*?[\]{}()!+@|,]/gu, String.raw`\$&`)], isExact: true }
}

/** A glob whose `**` stand in no braces. */
interface Plain {
  readonly expression: RegExp
  readonly atLeast: string
  readonly isExact: boolean
}

function parsePlain(glob: string, caseSensitive: boolean): Result<Plain, string> {
  let sources: readonly string[] = []
  const atLeast: string[] = []
  const open: (GlobGroup & { readonly from: number; readonly sources: number })[] = []
  let isExact = true
  for (let at = 0; at < glob.length;) {
    const piece: GlobPiece = globPieceAt(glob, at, open)
    if (piece.kind === 'malformed') return failed(piece.why)
    if (!open.some(({ end }) => end === ')') && !(piece.atLeast === '*' && atLeast.at(-1) === '*')) atLeast.push(piece.atLeast)
    if (piece.kind === 'opens') open.push({ ...piece.group, from: at + piece.length, sources: sources.length })
    const closed = piece.kind === 'closes' ? open.pop() : undefined
    const why = closed && /[*+]/u.test(closed.repeated) ? whyNotRepeated(glob.slice(closed.from, at), caseSensitive) : null
    if (why !== null) return failed(why)
    isExact &&= piece.atLeast === glob.slice(at, at + piece.length)
    sources = closed?.repeated === '!' ? withAnythingBut(sources, closed.sources) : [...sources, piece.source]
    at += piece.length
  }
  const left = open.at(-1)
  if (left) return failed(unended(left.begin, left.end))
  try {
    return ok({ expression: new RegExp(`^${joinedOneWay(sources)}$`, caseSensitive ? 'su' : 'sui'), atLeast: atLeast.join(''), isExact })
  } catch {
    return failed(String.raw`a range of its classes runs backwards; write \[ for the character itself`)
  }
}

/** Where what begins at `start` must not stand: any text is taken there, if it is not this from the same place on. */
function withAnythingBut(sources: readonly string[], start: number): readonly string[] {
  const [before, alternatives] = [sources.slice(0, start), sources.slice(start + 1)]
  const place = `p${start}`
  return [`(?<${place}>`, ...before, ')', `${STAR}(?<!^\\k<${place}>(?:${alternatives.join('')}))`]
}

/** Of many stars between two slashes whoever lists files gets one for all, since it may try each in every way. */
function withFewStars(glob: string): string {
  return glob.replaceAll(/[^/*{}\\]*(?:\*[^/*{}\\]+){2,}\*[^/{}\\]*(?=\/|$)/gu, (part, at: number) =>
    at === 0 || glob[at - 1] === '/' ? part.replace(/\*[^]*\*/u, '*') : part,
  )
}

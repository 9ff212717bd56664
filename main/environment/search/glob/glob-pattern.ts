import { type Result, failed, ok } from '../../../../shared/lib/result.ts'
import { globPieceAt } from './glob-pieces.ts'
import { joinedWithoutBacktracking } from './stars-without-backtracking.ts'
import { expandBraces } from './expand-braces.ts'
import { everythingBelow, backtracksTooLong } from './excessive-backtracking.ts'

export interface GlobPattern {
  /** Tests a complete path, with `/` as the separator. */
  matches(path: string): boolean
  /** Globs of literal characters, stars and braces, for listing files. Together they match at least the paths that this glob matches. */
  readonly atLeast: readonly string[]
  /** Whether `atLeast` matches exactly the same paths. */
  readonly isExact: boolean
}

/**
 * Parses a glob in the dialect of `.gitignore` and of ripgrep's `-g`: `*` and `?` stop at a slash, `**` between slashes spans folders,
 * there are classes and `{a,b}`, and a backslash makes the next character literal. Ranges `{1..3}` and `{a..c}` work as in shells. File
 * names may contain brackets and braces, so a glob without stars also matches the file whose name is exactly the glob, and a class also
 * matches its own text. A failure says what is malformed.
 */
export function parseGlob(glob: string, caseSensitive = true): Result<GlobPattern, string> {
  const globs = spreadOf(glob)
  if (globs === null) return failed('its braces stand for too many paths; write fewer alternatives')
  const parsed: Plain[] = []
  for (const each of globs) {
    const one = parsePlain(each, caseSensitive)
    if (!one.ok) return one
    parsed.push(one.value)
  }
  if (backtracksTooLong(globs, true)) return failed('it can match in too many ways; write it with fewer stars, alternatives and **')
  const few = parsed.map(({ atLeast }) => withFewStars(atLeast))
  const others = backtracksTooLong(few, false) ? few.map((each) => everythingBelow(each)) : few
  const means = (path: string): boolean => parsed.some(({ expression }) => expression.test(path))
  const [anywhere, name] = glob.startsWith('**/') ? ['**/', glob.slice(3)] : ['', glob]
  const itself = name.includes('*') || means(name) ? null : globOfPath(name)
  return ok({
    matches: (path) => means(path) || (itself !== null && (path === name || (anywhere !== '' && path.endsWith(`/${name}`)))),
    atLeast: [...others, ...(itself?.atLeast ?? []).map((each) => anywhere + each)],
    isExact: parsed.every(({ atLeast, isExact }, index) => isExact && atLeast === others[index]),
  })
}

/** Expands alternatives between stars if matching them would take too long. After that, only one star of a name needs backtracking. */
function spreadOf(glob: string): readonly string[] | null {
  const globs = expandBraces(glob, false)
  return globs && backtracksTooLong(globs, true) ? (expandBraces(glob, true) ?? globs) : globs
}

/** A glob that matches only this path, whatever characters it contains. */
export function globOfPath(path: string): GlobPattern {
  return { matches: (other) => other === path, atLeast: [path.replaceAll(/[\\*?[\]{}()!+@|,]/gu, String.raw`\$&`)], isExact: true }
}

/** A glob without `**` inside braces. */
interface Plain {
  readonly expression: RegExp
  readonly atLeast: string
  readonly isExact: boolean
}

function parsePlain(glob: string, caseSensitive: boolean): Result<Plain, string> {
  const sources: string[] = []
  const atLeast: string[] = []
  let [depth, isExact] = [0, true]
  for (let at = 0; at < glob.length;) {
    const piece = globPieceAt(glob, at, depth)
    if (piece.kind === 'malformed') return failed(piece.why)
    if (!(piece.atLeast === '*' && atLeast.at(-1) === '*')) atLeast.push(piece.atLeast)
    depth += piece.kind === 'opens' ? 1 : piece.kind === 'closes' ? -1 : 0
    isExact &&= piece.atLeast === glob.slice(at, at + piece.length)
    sources.push(piece.source)
    at += piece.length
  }
  if (depth > 0) return failed(String.raw`{ has no }; write \{ for the character itself`)
  try {
    return ok({
      expression: new RegExp(`^${joinedWithoutBacktracking(sources)}$`, caseSensitive ? 'su' : 'sui'),
      atLeast: atLeast.join(''),
      isExact,
    })
  } catch {
    return failed(String.raw`a range in one of its classes runs backwards; write \[ for the character itself`)
  }
}

/** Replaces several stars between two slashes with one star, because the listing may backtrack for each of them. */
function withFewStars(glob: string): string {
  return glob.replaceAll(/[^/*{}\\]*(?:\*[^/*{}\\]+){2,}\*[^/{}\\]*(?=\/|$)/gu, (part, at: number) =>
    at === 0 || glob[at - 1] === '/' ? part.replace(/\*[^]*\*/u, '*') : part,
  )
}

import { type Result, failed, ok } from '../../../../shared/lib/result.ts'
import { either, linearMatcher, type Pattern, sequence } from '../../../../shared/lib/pattern/linear-matcher.ts'
import { globPieceAt } from './glob-pieces.ts'
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
  const globs = expandBraces(glob)
  if (globs === null) return failed('its braces stand for too many paths; write fewer alternatives')
  const parsed: Plain[] = []
  for (const each of globs) {
    const one = parsePlain(each, caseSensitive)
    if (!one.ok) return one
    parsed.push(one.value)
  }
  const few = parsed.map(({ atLeast }) => withFewStars(atLeast))
  const others = backtracksTooLong(few) ? few.map((each) => everythingBelow(each)) : few
  const means = (path: string): boolean => parsed.some(({ matches }) => matches(path))
  const [anywhere, name] = glob.startsWith('**/') ? ['**/', glob.slice(3)] : ['', glob]
  const itself = name.includes('*') || means(name) ? null : globOfPath(name)
  return ok({
    matches: (path) => means(path) || (itself !== null && (path === name || (anywhere !== '' && path.endsWith(`/${name}`)))),
    atLeast: [...others, ...(itself?.atLeast ?? []).map((each) => anywhere + each)],
    isExact: parsed.every(({ atLeast, isExact }, index) => isExact && atLeast === others[index]),
  })
}

/** A glob that matches only this path, whatever characters it contains. */
export function globOfPath(path: string): GlobPattern {
  return { matches: (other) => other === path, atLeast: [path.replaceAll(/[\\*?[\]{}()!+@|,]/gu, String.raw`\$&`)], isExact: true }
}

/** A glob without `**` inside braces. */
interface Plain {
  matches(path: string): boolean
  readonly atLeast: string
  readonly isExact: boolean
}

/** Maximum number of pieces of one glob. No path that a file system allows needs more. */
const MAX_PIECES = 4_096

function parsePlain(glob: string, caseSensitive: boolean): Result<Plain, string> {
  const atLeast: string[] = []
  const whole = createBranches()
  /** The open braces and, first, the whole glob. */
  const open = [whole]
  let isExact = true
  let pieces = 0
  for (let at = 0; at < glob.length; pieces++) {
    const piece = globPieceAt(glob, at, open.length - 1)
    if (piece.kind === 'malformed') return failed(piece.why)
    if (!(piece.atLeast === '*' && atLeast.at(-1) === '*')) atLeast.push(piece.atLeast)
    const inner = open.at(-1) ?? whole
    if (piece.kind === 'opens') open.push(createBranches())
    else if (piece.kind === 'next') inner.begin()
    else if (piece.kind === 'plain') inner.add(piece.pattern)
    else {
      open.pop()
      open.at(-1)?.add(inner.pattern())
    }
    isExact &&= piece.atLeast === glob.slice(at, at + piece.length)
    at += piece.length
  }
  if (open.length > 1) return failed(String.raw`{ has no }; write \{ for the character itself`)
  if (pieces > MAX_PIECES) return failed(`it is longer than ${MAX_PIECES} characters`)
  try {
    return ok({ matches: linearMatcher(whole.pattern(), caseSensitive), atLeast: atLeast.join(''), isExact })
  } catch {
    return failed(String.raw`a range in one of its classes runs backwards; write \[ for the character itself`)
  }
}

/** Alternatives that are still being read. */
interface Branches {
  add(pattern: Pattern): void
  /** Begins the next alternative. */
  begin(): void
  pattern(): Pattern
}

function createBranches(): Branches {
  const before: Pattern[] = []
  let here: Pattern[] = []
  return {
    add: (pattern) => void here.push(pattern),
    begin() {
      before.push(sequence(here))
      here = []
    },
    pattern: () => (before.length === 0 ? sequence(here) : either([...before, sequence(here)])),
  }
}

/** Replaces several stars between two slashes with one star, because the listing may backtrack for each of them. */
function withFewStars(glob: string): string {
  return glob.replaceAll(/[^/*{}\\]*(?:\*[^/*{}\\]+){2,}\*[^/{}\\]*(?=\/|$)/gu, (part, at: number) =>
    at === 0 || glob[at - 1] === '/' ? part.replace(/\*[^]*\*/u, '*') : part,
  )
}

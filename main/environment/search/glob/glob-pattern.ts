import { type Result, failed, ok } from '../../../../shared/lib/result.ts'
import { either, linearMatcher, type Pattern } from '../../../../shared/lib/pattern/linear-matcher.ts'
import { pathPattern } from '../ignore/path-pattern.ts'
import { expandBraces } from './expand-braces.ts'

export interface GlobPattern {
  /** Tests a complete path, with `/` as the separator. */
  matches(path: string): boolean
  /** Globs that every program reads in the same way. Together they match at least the paths that this glob matches. */
  readonly atLeast: readonly string[]
  /** Whether `atLeast` matches exactly the same paths. */
  readonly isExact: boolean
}

/** Maximum number of characters of one glob. No path that a file system allows needs more. */
const MAX_LENGTH = 4096

/**
 * Parses a glob in the dialect of `.gitignore` and of ripgrep's `-g`: `*` and `?` stop at a slash, `**` between slashes spans folders,
 * there are classes and `{a,b}`, and a backslash makes the next character literal. Ranges `{1..3}` and `{a..c}` work as in shells. File
 * names may contain brackets and braces, so a glob without stars also matches the file whose name is exactly the glob, and a class also
 * matches its own text. A failure says what is malformed.
 */
export function parseGlob(glob: string, caseSensitive = true): Result<GlobPattern, string> {
  if (glob.length > MAX_LENGTH) return failed(`it is longer than ${MAX_LENGTH} characters`)
  const expanded = expandBraces(glob)
  if (!expanded.ok) return expanded
  // An empty alternative beside `**` names a folder, and two slashes in a row match no path.
  const globs = glob.includes('**') ? expanded.value.map((each) => each.replaceAll(/\/{2,}/gu, '/')) : expanded.value
  const patterns: Pattern[] = []
  for (const each of globs) {
    const pattern = pathPattern(each, 'person')
    if (!pattern.ok) return pattern
    patterns.push(pattern.value)
  }
  const means = linearMatcher(either(patterns), caseSensitive)
  const atLeast = globs.map(simplified)
  const isExact = globs.every((each, index) => each === atLeast[index])
  const name = glob.replace(/^\*\*\//u, '')
  if (name.includes('*') || means(name)) return ok({ matches: means, atLeast, isExact })
  const itself = (path: string): boolean => path === name || (name !== glob && path.endsWith(`/${name}`))
  return ok({ matches: (path) => means(path) || itself(path), atLeast: [...atLeast, simplified(glob)], isExact })
}

/** A glob that matches only this path, whatever characters it contains. */
export function globOfPath(path: string): GlobPattern {
  return { matches: (other) => other === path, atLeast: [simplified(path)], isExact: false }
}

/** A class, an escaped character, or another character that some program could read differently. A slash cannot be escaped. */
const UNCLEAR = /\[[!^]?\]?(?:\[:\w*:\]|\\[^]|[^\\\]])*\]|\\[^/]|[^\p{L}\p{M}\p{N}_./*-]/gu

/**
 * Replaces what is unclear with stars. In a name, at most two stars are kept, and in a path two times `**`, because a program that lists
 * files may backtrack for each.
 */
function simplified(glob: string): string {
  const names = glob
    .replaceAll(UNCLEAR, (text) => (text === '\\' ? '' : '*'))
    .split('/')
    .map((name) => (/^\*{2,}$/u.test(name) ? '**' : name.replaceAll(/\*+/gu, '*').replace(/\*[^*]+\*[^]*\*/u, '*')))
  const spans = names.flatMap((name, index) => (name === '**' ? [index] : []))
  return spans.length > 2 ? names.slice(0, (spans[1] ?? 0) + 1).join('/') : names.join('/')
}

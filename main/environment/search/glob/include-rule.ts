import { EnvironmentFailure } from '../../environment-failure.ts'
import { parseGlob } from './glob-pattern.ts'

/** A glob of ripgrep's `-g`: picks files by their path, which is relative to the folder searched, with `/`. */
export interface IncludeRule {
  /** Begins with `!`: leaves out what it matches. */
  readonly isNegated: boolean
  matches(path: string, isFolder: boolean): boolean
  /** Whether a file is searched: a glob that takes out takes folders out too. */
  picks(path: string): boolean
  /** For ripgrep, which tells only bytes apart and knows less: globs that let all of this one's files through. Empty: none do. */
  readonly forRipgrep: readonly string[]
}

/** Null: it says nothing. Throws `EINVAL` with what is wrong with it, the same whatever searches then. */
export function parseIncludeRule(glob: string): IncludeRule | null {
  const trimmed = glob.endsWith(String.raw`\ `) ? glob : glob.trimEnd()
  if (trimmed === '') return null
  const isNegated = trimmed.startsWith('!') && !trimmed.startsWith('!(')
  const named = (isNegated ? trimmed.slice(1) : trimmed).replace(/^(?:\.\/)+/u, '/').replaceAll(/\/(?:\.?\/)+/gu, '/')
  if (named === '' || named === '/') throw malformed(glob, 'it names nothing')
  if (named.split('/').includes('..')) throw malformed(glob, 'it is matched below the folder that is searched; name another folder as path')
  const onlyFolders = named.length > 1 && named.endsWith('/')
  const body = onlyFolders ? named.slice(0, -1) : named
  const place = body.includes('/') ? body.replace(/^\//u, '') : `**/${body}`
  // A folder that is asked for means the files in it.
  const pattern = parseGlob(onlyFolders && !isNegated ? `${place}/**` : place)
  if (!pattern.ok) throw malformed(glob, pattern.failure)
  const { atLeast, isExact } = pattern.value
  const matches = (path: string, isFolder: boolean): boolean => (isFolder || !onlyFolders || !isNegated) && pattern.value.matches(path)
  return {
    isNegated,
    matches,
    picks: (path) =>
      isNegated ? !matches(path, false) && !foldersAbove(path).some((folder) => matches(folder, true)) : matches(path, false),
    forRipgrep: isNegated && !isExact ? [] : forRipgrep(atLeast, isNegated ? '!/' : '/', isNegated && onlyFolders ? '/' : ''),
  }
}

/** An alternative that is empty has no meaning there; nothing is called like what ends with a slash. */
function forRipgrep(globs: readonly string[], begin: string, end: string): readonly string[] {
  if (globs.some((glob) => /[{,][,}]/u.test(glob))) return []
  return globs.filter((glob) => !/^$|\/$/u.test(glob)).map((glob) => begin + glob + end)
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function malformed(glob: string, why: string): EnvironmentFailure {
  return new EnvironmentFailure('EINVAL', `The include pattern ${glob} cannot be searched by: ${why} (EINVAL).`)
}

import { EnvironmentFailure } from '../../environment-failure.ts'
import { parseGlob } from './glob-pattern.ts'

/** A glob as passed to ripgrep's `-g`. It selects files by their path relative to the searched folder, with `/` as the separator. */
export interface IncludeRule {
  /** Whether the glob begins with `!`, so that it excludes what it matches. */
  readonly isNegated: boolean
  matches(path: string, isFolder: boolean): boolean
  /** Whether a file is searched. A negated glob also excludes all files in the folders that it matches. */
  picks(path: string): boolean
  /**
   * Globs for ripgrep that together select at least the files that this glob selects. They can select more, because ripgrep compares bytes
   * and has a smaller dialect. Empty if there are none.
   */
  readonly forRipgrep: readonly string[]
}

/** Null if the glob is blank. Throws `EINVAL` with a message that says what is malformed. */
export function parseIncludeRule(glob: string): IncludeRule | null {
  const trimmed = glob.endsWith(String.raw`\ `) ? glob : glob.trimEnd()
  if (trimmed === '') return null
  const isNegated = /^!(?!\()/u.test(trimmed)
  const named = (isNegated ? trimmed.slice(1) : trimmed).replace(/^(?:\.\/)+/u, '/').replaceAll(/\/(?:\.?\/)+/gu, '/')
  if (named === '' || named === '/') throw malformed(glob, 'it names nothing')
  if (named.split('/').includes('..'))
    throw malformed(glob, 'it can only select files below the searched folder; set path to another folder')
  const onlyFolders = named.length > 1 && named.endsWith('/')
  const body = onlyFolders ? named.slice(0, -1) : named
  const place = body.includes('/') ? body.replace(/^\//u, '') : `**/${body}`
  // A folder stands for all files in it.
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

/** No file name is empty or ends with a slash. */
function forRipgrep(globs: readonly string[], begin: string, end: string): readonly string[] {
  return globs.filter((glob) => !/^$|\/$/u.test(glob)).map((glob) => begin + glob + end)
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function malformed(glob: string, why: string): EnvironmentFailure {
  return new EnvironmentFailure('EINVAL', `The include pattern ${glob} cannot be used: ${why} (EINVAL).`)
}

import { hasOddRules, ignoredBelow, ignoredFoldersBelow, isInRepository } from '../ignore/folder-ignore-rules.ts'
import { parseIncludeRule } from '../glob/include-rule.ts'
import type { GrepRequest } from '../grep-in-worker.ts'

/** Which files of a folder ripgrep searches. */
export interface FileSelection {
  readonly options: readonly string[]
  /** Whether a file that ripgrep searched must be left out. The path is relative to the searched folder. */
  isDropped(path: string): boolean
}

/**
 * ripgrep reads some ignore rules differently from git: in a `.gitignore`, `*.{js,ts}` is literal for git, but ripgrep takes it as two file
 * extensions and would skip files of the project. In such a folder, ripgrep reads no rules. Then it only skips the ignored folders near the
 * top, which saves time, and other ignored files are dropped. They are also dropped if there is an include pattern, because with `--glob`,
 * ripgrep shows ignored files that the glob matches, and the glob that it gets may match more than was requested.
 */
export async function fileSelection({ folder, file, includePattern }: GrepRequest): Promise<FileSelection> {
  const include = includePattern === null ? null : parseIncludeRule(includePattern)
  const isOdd = file === null && hasOddRules(folder)
  const isIgnored = file !== null || (include === null && !isOdd) ? null : ignoredBelow(folder)
  const skipped = isOdd ? (await ignoredFoldersBelow(folder)).map((path) => `!/${path}/`) : []
  const globs = [...(include?.forRipgrep ?? []), '!.git', ...skipped]
  const rules = isOdd ? ['--no-ignore'] : ['--no-ignore-dot', '--no-ignore-global', ...(isInRepository(folder) ? [] : ['--no-require-git'])]
  return {
    options: ['--hidden', ...rules, ...globs.flatMap((glob) => ['--glob', glob])],
    isDropped: (path) => isIgnored !== null && (include?.picks(path) === false || isIgnored(path)),
  }
}

import type { GitFile, GitRepository, GitSide } from '../../../../shared/api/changes/git.ts'
import { modeChange } from '../../../ui/diff/file-words.ts'
import type { ReviewFile } from '../review-files.ts'

/** A changed file of the repository. */
export interface GitReviewFile extends ReviewFile {
  readonly git: GitFile & { readonly side: GitSide }
}

/** Returns the changed files, staged files first. A file with staged and unstaged changes is in the list twice. */
export function gitFiles({ staged, unstaged, top }: GitRepository): readonly GitReviewFile[] {
  const onSide = (side: GitSide, files: readonly GitFile[]): readonly GitReviewFile[] =>
    files.map((file) => ({
      path: `${side}:${file.path}`,
      absolute: `${top}/${file.path}`,
      shown: file.path,
      before: null,
      after: null,
      steps: [],
      lines: null,
      madeBy: [],
      git: { ...file, side },
    }))
  return [...onSide('staged', staged), ...onSide('unstaged', unstaged)]
}

/** The change in one word, for the end of a row. Null if the line counts are enough. */
export function changeWord({ change, modes }: GitFile): string | null {
  switch (change) {
    case 'untracked':
    case 'added':
      return 'new'
    case 'modified':
      return modes === null ? null : modeWord(modes)
    case 'mode':
      return modes === null ? 'mode' : modeWord(modes)
    default:
      return change
  }
}

function modeWord([before, after]: readonly [string, string]): string {
  if (after === '100755') return 'executable'
  return before === '100755' ? 'not executable' : 'mode'
}

/** The mode change of a file under review as a sentence. Null if its mode did not change. */
export function modeSentence({ git, modes }: Pick<ReviewFile, 'git' | 'modes'>): string | null {
  if (git?.modes) return `The file mode changes from ${git.modes[0]} to ${git.modes[1]}.`
  return modes ? modeChange(modes) : null
}

/**
 * Returns a push command for the user's shell. An unusual branch name is written in full and quoted, because a shell or git could
 * misinterpret it, for example as an option.
 */
export function pushCommand(branch: string, upstream: string | null): string {
  if (upstream !== null) return 'git push'
  const full = `refs/heads/${branch}`
  const name = /^\w[\w./-]*$/u.test(branch) ? branch : `'${`${full}:${full}`.replaceAll("'", String.raw`'\''`)}'`
  return `git push --set-upstream origin ${name}`
}

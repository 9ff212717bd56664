import type { GitFile, GitRepository, GitSide } from '../../../../shared/api/git.ts'
import type { ReviewFile } from '../review-files.ts'

/** A changed file of the repository. */
export interface GitReviewFile extends ReviewFile {
  readonly git: GitFile & { readonly side: GitSide }
}

/** Staged files first. A file with changes on both sides is in the list twice. */
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

/** The change in a word, for the end of a row; null: lines say it. */
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

/** The change of mode as a sentence; null: it has none. */
export function modeSentence({ modes }: GitFile): string | null {
  return modes === null ? null : `Mode changes from ${modes[0]} to ${modes[1]}.`
}

/** For a person's shell: names of branches may hold characters that a shell would act on. */
export function pushCommand(branch: string, upstream: string | null): string {
  if (upstream !== null) return 'git push'
  const name = /^[\w./-]+$/u.test(branch) ? branch : `'${branch.replaceAll("'", String.raw`'\''`)}'`
  return `git push --set-upstream origin ${name}`
}

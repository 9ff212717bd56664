import { z } from 'zod'
import { SessionId } from '../../lib/ids.ts'
import type { Trouble } from '../../session/events.ts'
import { command, returns } from '../../wire/contract.ts'
import type { BlobText } from './changes.ts'
import type { Done } from '../sessions.ts'

/** `staged` is the difference from the last commit to the index. `unstaged` is the difference from the index to the folder. */
const GitSide = z.enum(['staged', 'unstaged'])
export type GitSide = z.infer<typeof GitSide>

export type GitFileChange = 'added' | 'modified' | 'deleted' | 'renamed' | 'untracked' | 'conflicted' | 'mode' | 'submodule'

export interface GitFile {
  /** Path relative to the top folder of the repository, with `/` as the separator. */
  readonly path: string
  /** The old path of a renamed file. */
  readonly from: string | null
  readonly change: GitFileChange
  /** Old and new mode, as git writes them: `100644`, `100755`. Null if the mode does not change. */
  readonly modes: readonly [string, string] | null
}

export interface GitRepository {
  readonly kind: 'repository'
  /** Real path of the top folder. */
  readonly top: string
  /** The current branch. Null if no branch is checked out. */
  readonly branch: string | null
  /** The branch that the current branch follows. Null if it follows none. */
  readonly upstream: string | null
  readonly ahead: number
  readonly behind: number
  readonly staged: readonly GitFile[]
  readonly unstaged: readonly GitFile[]
}

export type GitStatus = GitRepository | { readonly kind: 'none' } | { readonly kind: 'failed'; readonly trouble: Trouble }

export interface GitTexts {
  readonly before: BlobText | null
  readonly after: BlobText | null
  /** Identifies both versions of the file. Staging is refused if they have changed. */
  readonly version: string
  /** Why this file can be staged only as a whole. Null if its hunks can be staged one by one. */
  readonly wholeOnly: string | null
}

/** The lines of a hunk in one version, counted from 0, end excluded. */
const LineRange = z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]).readonly()
const StagedHunk = z.object({ before: LineRange, after: LineRange })
export type StagedHunk = z.infer<typeof StagedHunk>

const session = z.object({ sessionId: SessionId })
const file = session.extend({ side: GitSide, path: z.string().min(1).max(4096) })

export const gitApi = {
  /** The status of the repository of a session's folder. Runs no program that the repository's configuration specifies. */
  status: command({ input: session, output: returns<GitStatus>() }),
  /** Both versions of a changed file. Runs no program that the repository's configuration specifies. */
  texts: command({
    input: file,
    output: returns<{ readonly ok: true; readonly texts: GitTexts } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /**
   * Stages a file that is listed as unstaged, or unstages a file that is listed as staged. With `chosen`, only the chosen hunks of the
   * version that was shown are staged or unstaged.
   */
  stage: command({
    input: file.extend({
      chosen: z.object({ version: z.string().max(200), lines: z.array(StagedHunk).min(1).max(10_000).readonly() }).nullable(),
    }),
    output: returns<Done>(),
  }),
  /** Commits what is staged, with the user's git, hooks and signing. `commit` is the short name of the new commit. */
  commit: command({
    input: session.extend({ message: z.string().min(1).max(20_000) }),
    output: returns<{ readonly ok: true; readonly commit: string } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
}

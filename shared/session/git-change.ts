import type { BlobHash } from '../lib/ids.ts'

/** What a command did to a git repository, in git's own terms. Hashes are whole. */
export interface GitChange {
  /** What is checked out, as a branch name or a hash, if that is another one now. */
  readonly head: { readonly before: string; readonly after: string } | null
  /** New commits that a branch or tag reaches, newest first. */
  readonly commits: readonly GitCommit[]
  /** There are more commits than are listed. */
  readonly more: boolean
  /** Commits that no branch or tag reaches after a reset, rebase or amend; newest first. */
  readonly lost: readonly Pick<GitCommit, 'hash' | 'subject'>[]
  readonly refs: readonly GitRefChange[]
  /** What the index holds for the next commit now, and did not before. */
  readonly staged: readonly GitFile[]
  /** What it held before, and neither holds now nor was committed. */
  readonly unstaged: readonly GitFile[]
  /** An operation that git is in the middle of now, and was not before. Null: none. */
  readonly begun: GitOperation | null
}

export const GIT_OPERATIONS = ['merge', 'rebase', 'cherry-pick', 'revert', 'bisect'] as const
export type GitOperation = (typeof GIT_OPERATIONS)[number]

export interface GitCommit {
  readonly hash: string
  readonly subject: string
  readonly author: string
  /** Null: too many to be listed. For a merge, beside its first parent. */
  readonly files: readonly GitFile[] | null
}

/**
 * `status` is git's letter: A, M, D, R, C, T, U. `from`: where a renamed or copied file was. `stored`: its bytes before and after, in the
 * blob store; null: no file on that side. Absent: the bytes are not kept, because they are too large or belong to one of too many files.
 */
export interface GitFile {
  readonly status: string
  readonly path: string
  readonly from?: string
  readonly stored?: { readonly before: BlobHash | null; readonly after: BlobHash | null }
}

/**
 * `before`, `after`: the hash that it names; null: it does not exist. `leaves`: commits that it reached before and does not now, when it
 * moved; counted up to `MAX_LEFT`.
 */
export interface GitRefChange {
  readonly kind: 'branch' | 'tag' | 'remote' | 'stash' | 'other'
  readonly name: string
  readonly before: string | null
  readonly after: string | null
  readonly leaves: number
}

export const MAX_LEFT = 100

/** Parts of `.git` that decide what git runs or ignores. A person reads them as files. */
const STEERING = /^\.git\/(?:config(?:\.worktree)?$|hooks\/|info\/|modules\/|attributes$)/u

/** Whether a path of the folder is part of git's own records, which only git's terms make readable. */
export const isGitRecord = (shown: string): boolean => (shown === '.git' || shown.startsWith('.git/')) && !STEERING.test(shown)

const SHORT = 7
export const shortHash = (hash: string): string => hash.slice(0, SHORT)
const isHash = (name: string): boolean => /^[0-9a-f]{40,64}$/u.test(name)

/** A change of a repository in sentences, without its commits and the files that are staged. */
export function gitSentences({ head, refs, begun, commits }: GitChange): readonly string[] {
  return [
    ...(head === null ? [] : [`Switches from ${spot(head.before)} to ${spot(head.after)}.`]),
    ...refs.flatMap((ref) => refSentence(ref, commits)),
    ...(begun === null ? [] : [`Git is in the middle of a ${begun}.`]),
  ]
}

const spot = (name: string): string => (isHash(name) ? `commit ${shortHash(name)}` : name)

const KIND: Readonly<Record<GitRefChange['kind'], string>> = {
  branch: 'branch',
  tag: 'tag',
  remote: 'remote branch',
  stash: '',
  other: 'ref',
}

function refSentence({ kind, name, before, after, leaves }: GitRefChange, commits: GitChange['commits']): readonly string[] {
  if (kind === 'stash')
    return [after === null ? 'The last stash is removed.' : before === null ? 'Changes are stashed.' : 'The stash changes.']
  if (before === null) return [`New ${KIND[kind]} ${name}${after === null ? '' : ` at ${shortHash(after)}`}.`]
  if (after === null) return [`Deletes the ${KIND[kind]} ${name}, which was at ${shortHash(before)}.`]
  // A branch that only gained commits is described by these.
  if (kind === 'branch' && leaves === 0 && commits.some(({ hash }) => hash === after)) return []
  const left =
    leaves === 0 ? '' : ` and leaves out ${leaves < MAX_LEFT ? leaves : 'more than a hundred'} ${leaves === 1 ? 'commit' : 'commits'}`
  return [`Moves the ${KIND[kind]} ${name} from ${shortHash(before)} to ${shortHash(after)}${left}.`]
}

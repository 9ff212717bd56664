import type { BlobHash } from '../lib/ids.ts'

/** What a command did to a git repository, in git's own terms. Hashes have their full length. */
export interface GitChange {
  /** The checked-out branch name or hash before and after. Null if it did not change. */
  readonly head: { readonly before: string; readonly after: string } | null
  /** New commits that are reachable from a branch or tag, newest first. */
  readonly commits: readonly GitCommit[]
  /** Whether there are more commits than are listed. */
  readonly more: boolean
  /** Commits that are no longer reachable from any branch or tag after a reset, rebase or amend. The newest comes first. */
  readonly lost: readonly Pick<GitCommit, 'hash' | 'subject'>[]
  readonly refs: readonly GitRefChange[]
  /** Files that are staged now and were not staged before. */
  readonly staged: readonly GitFile[]
  /** Files that were staged before, are not staged now, and were not committed. */
  readonly unstaged: readonly GitFile[]
  /** The operation that git is in the middle of now, such as a merge, if git was not in the middle of it before. Null if there is none. */
  readonly begun: GitOperation | null
}

export const GIT_OPERATIONS = ['merge', 'rebase', 'cherry-pick', 'revert', 'bisect'] as const
export type GitOperation = (typeof GIT_OPERATIONS)[number]

export interface GitCommit {
  readonly hash: string
  readonly subject: string
  readonly author: string
  /** The changed files. Null if there are too many to list. For a merge, compared with its first parent. */
  readonly files: readonly GitFile[] | null
}

/**
 * `status` is git's letter: A, M, D, R, C, T, U. `from` is the old path of a renamed or copied file. `stored` contains the hashes of its
 * bytes before and after, which are in the blob store. A hash is null if there is no file on that side. If `stored` is absent, the bytes
 * are not kept, because they are too large or because there are too many files.
 */
export interface GitFile {
  readonly status: string
  readonly path: string
  readonly from?: string
  readonly stored?: { readonly before: BlobHash | null; readonly after: BlobHash | null }
}

/**
 * `before` and `after` are the hashes that the ref points to. Null if the ref does not exist. `leaves` is the number of commits that were
 * reachable from a moved ref before and no longer are, counted up to `MAX_LEFT`.
 */
export interface GitRefChange {
  readonly kind: 'branch' | 'tag' | 'remote' | 'stash' | 'other'
  readonly name: string
  readonly before: string | null
  readonly after: string | null
  readonly leaves: number
}

export const MAX_LEFT = 100

/** Matches parts of `.git` that decide what git runs or ignores. These parts are shown to users as ordinary files. */
const STEERING = /^\.git\/(?:config(?:\.worktree)?$|hooks\/|info\/|modules\/|attributes$)/u

/** Whether a path of the folder belongs to git's own records, which can be read only in git's terms. */
export const isGitRecord = (shown: string): boolean => (shown === '.git' || shown.startsWith('.git/')) && !STEERING.test(shown)

/**
 * The effects or files without git's own records, which a command has changed and which count as one change of the repository, and whether
 * there were any.
 */
export function withoutGitRecords<T extends object>(all: readonly T[]): { readonly others: readonly T[]; readonly hasRecords: boolean } {
  const others = all.filter((one) => !('shown' in one && typeof one.shown === 'string' && isGitRecord(one.shown)))
  return { others, hasRecords: others.length < all.length }
}

const SHORT = 7
export const shortHash = (hash: string): string => hash.slice(0, SHORT)
const isHash = (name: string): boolean => /^[0-9a-f]{40,64}$/u.test(name)

/** Describes a change of a repository in sentences. Does not mention its commits or the staged files. */
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
  // A branch that only gained commits gets no sentence, because the list of new commits shows the change.
  if (kind === 'branch' && leaves === 0 && commits.some(({ hash }) => hash === after)) return []
  const left =
    leaves === 0 ? '' : ` and leaves out ${leaves < MAX_LEFT ? leaves : 'more than a hundred'} ${leaves === 1 ? 'commit' : 'commits'}`
  return [`Moves the ${KIND[kind]} ${name} from ${shortHash(before)} to ${shortHash(after)}${left}.`]
}

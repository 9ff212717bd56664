import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { BlobHash } from '../../../../shared/lib/ids.ts'
import { mapAtOnce } from '../../../../shared/lib/map-at-once.ts'
import {
  GIT_OPERATIONS,
  MAX_LEFT,
  type GitChange,
  type GitFile,
  type GitOperation,
  type GitRefChange,
} from '../../../../shared/session/git-change.ts'
import type { CopyChange, StoreBytes } from '../../../agent/ports/command-copies.ts'
import type { ExecutionEnvironment } from '../../../agent/ports/execution-environment.ts'
import { askGit, type GitObjectFile, type GitQuestions } from './ask-git.ts'
import { changedRefs, headHash, readRefs, type Refs } from './read-refs.ts'

const MAX_COMMITS = 50
const MAX_FILES = 1_000

export interface ChangedRepository {
  readonly changes: readonly CopyChange[]
  /** `before`: the real `.git` folder. `after`: the `.git` folder of the copy, which contains only what changed. */
  readonly git: { readonly before: string; readonly after: string }
}

/**
 * Describes what a command did to the repository of its folder, in git's terms. Null if it did nothing, if git is missing, or if the
 * repository's format is not supported. In the last two cases, only the changed files can be shown. Starts no program that a repository
 * configures. `put` stores the bytes of the listed files.
 */
export async function gitChange(
  { changes, git }: ChangedRepository,
  env: Pick<ExecutionEnvironment, 'spawn'>,
  put: StoreBytes,
): Promise<GitChange | null> {
  const paths = new Set(changes.flatMap(({ path }) => (path.startsWith('.git/') ? [path] : [])))
  if (paths.size === 0) return null
  try {
    const before = await readRefs(git.before)
    const after = await changedRefs(before, changes, git)
    if (after.head === '' || paths.has('.git/reftable')) return null
    const hash = headHash(after) ?? (before && headHash(before)) ?? [...after.refs.values()][0] ?? ''
    const objects = [git.after, git.before].map((folder) => join(folder, 'objects'))
    const refs = refChanges(before?.refs ?? new Map(), after.refs)
    return await askGit(env, { objects, hash }, async (asked) => {
      const known = heads(before)
      const reached = refs.flatMap(({ kind, after: now }) => (now === null || kind === 'stash' ? [] : [now]))
      const from = [...new Set([...reached, ...own(after)])]
      const found = from.length === 0 ? [] : await asked.commits(from, known, MAX_COMMITS + 1, true)
      const left = [
        ...new Set([...refs.flatMap(({ kind, before: was }) => (was === null || kind === 'stash' ? [] : [was])), ...own(before)]),
      ]
      const lost = left.length === 0 ? [] : await asked.commits(left, heads(after), MAX_COMMITS, false)
      const isIndexed = paths.has('.git/index')
      const stagedBefore = isIndexed && before ? await stagedIn(asked, join(git.before, 'index'), headHash(before)) : []
      const stagedAfter = isIndexed ? await stagedIn(asked, join(git.after, 'index'), headHash(after)) : []
      const listed = found.slice(0, MAX_COMMITS)
      const staged = without(stagedAfter, stagedBefore)
      const unstaged = found.length > 0 ? [] : without(stagedBefore, stagedAfter)
      const stored = await storedFiles([...listed.flatMap(({ files }) => files ?? []), ...staged, ...unstaged], asked, put)
      return {
        head: before && before.head !== after.head ? { before: shownHead(before), after: shownHead(after) } : null,
        commits: listed.map((commit) => ({ ...commit, files: commit.files?.map(stored) ?? null })),
        more: found.length > MAX_COMMITS,
        lost: lost.map(({ hash: gone, subject }) => ({ hash: gone, subject })),
        refs: await mapAtOnce(refs, REFS_AT_ONCE, async (ref) => ({ ...ref, leaves: await leftBy(ref, asked) })),
        staged: staged.map(stored),
        unstaged: unstaged.map(stored),
        begun: begunIn(paths, changes),
      }
    })
  } catch {
    return null
  }
}

const REFS_AT_ONCE = 4

async function leftBy({ kind, before, after }: GitRefChange, asked: GitQuestions): Promise<number> {
  if (before === null || after === null || kind === 'stash') return 0
  return (await asked.commits([before], [after], MAX_LEFT, false)).length
}

/** Maximum number of files whose bytes are stored. */
const MAX_STORED_FILES = 200

/** Stores the bytes of the first `MAX_STORED_FILES` of these files. Returns a function that adds the stored hashes to one file. */
async function storedFiles(
  files: readonly GitObjectFile[],
  asked: GitQuestions,
  put: StoreBytes,
): Promise<(file: GitObjectFile) => GitFile> {
  const names = files.slice(0, MAX_STORED_FILES).flatMap(({ objects }) => [objects?.before ?? [], objects?.after ?? []].flat())
  const contents = names.length === 0 ? new Map<string, Uint8Array>() : await asked.contents([...new Set(names)])
  const hashes = new Map<string, BlobHash>()
  for (const [name, bytes] of contents) {
    hashes.set(name, await put(bytes))
    // This yields to the event loop, because each content is written to the disk synchronously.
    await setImmediate()
  }
  const hashOf = (name: string | null): BlobHash | null | undefined => (name === null ? null : hashes.get(name))
  return ({ objects, ...file }) => {
    if (!objects) return file
    const before = hashOf(objects.before)
    const after = hashOf(objects.after)
    return before === undefined || after === undefined ? file : { ...file, stored: { before, after } }
  }
}

async function stagedIn(asked: GitQuestions, index: string, commit: string | null): Promise<readonly GitObjectFile[]> {
  const found = await stat(index).catch(() => null)
  return found?.isFile() ? (await asked.staged(index, commit)).slice(0, MAX_FILES) : []
}

const keyOf = ({ status, path }: GitFile): string => `${status} ${path}`

function without(files: readonly GitObjectFile[], others: readonly GitObjectFile[]): readonly GitObjectFile[] {
  const known = new Set(others.map(keyOf))
  return files.filter((file) => !known.has(keyOf(file)))
}

/** The commit of a detached HEAD, because it may not be reachable from any ref. Empty if HEAD is not detached. */
const own = (refs: Refs | null): readonly string[] => {
  const hash = refs && headHash(refs)
  return refs && hash !== null && hash === refs.head ? [hash] : []
}

const heads = (refs: Refs | null): readonly string[] => (refs ? [...new Set([...refs.refs.values(), ...own(refs)])] : [])

const shownHead = ({ head }: Refs): string => head.replace(/^refs\/heads\//u, '')

function refChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly GitRefChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => ({ ...named(name), before: before.get(name) ?? null, after: after.get(name) ?? null, leaves: 0 }))
}

const KINDS: readonly (readonly [string, GitRefChange['kind']])[] = [
  ['refs/heads/', 'branch'],
  ['refs/tags/', 'tag'],
  ['refs/remotes/', 'remote'],
]

function named(name: string): Pick<GitRefChange, 'kind' | 'name'> {
  if (name === 'refs/stash') return { kind: 'stash', name: 'stash' }
  const [start = '', kind = 'other'] = KINDS.find(([prefix]) => name.startsWith(prefix)) ?? []
  return { kind, name: name.slice(start.length) }
}

const MARKS: Readonly<Record<GitOperation, readonly string[]>> = {
  merge: ['.git/MERGE_HEAD'],
  rebase: ['.git/rebase-merge', '.git/rebase-apply'],
  'cherry-pick': ['.git/CHERRY_PICK_HEAD'],
  revert: ['.git/REVERT_HEAD'],
  bisect: ['.git/BISECT_LOG'],
}

function begunIn(paths: ReadonlySet<string>, changes: readonly CopyChange[]): GitOperation | null {
  const isNew = (path: string): boolean => paths.has(path) && changes.some((change) => change.path === path && change.kind === 'created')
  return GIT_OPERATIONS.find((operation) => MARKS[operation].some(isNew)) ?? null
}

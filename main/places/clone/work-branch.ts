import { randomUUID } from 'node:crypto'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { fetchedHead, fetchedWork } from './changed-files.ts'
import { git, gitText } from './clone-git.ts'
import { inRepository, readSnapshot, type Snapshot } from './take-snapshot.ts'

/** A branch with the work of a clone, before it is made. */
export interface WorkBranch {
  readonly name: string
  /** The hash of its newest commit. */
  readonly commit: string
  /** How many commits it has that the folder's commit did not have when the clone was made. */
  readonly commits: number
  /** The top of the user's repository. */
  readonly top: string
}

interface Wanted {
  readonly name: string
  /** The message of the commit with the work that was not committed. */
  readonly title: string
}

/** The branch with which the user's repository fetches a work branch from ours. */
const OUT_REF = 'refs/countersign/branch'

/**
 * The branch that would be made from what was fetched of a clone: its own commits, and one commit with the rest. Changes nothing in the
 * user's repository. `kept`: our folder with the snapshot and the fetched state. Rejects with a coded failure of git.
 */
export async function workBranch(kept: string, { name, title }: Wanted): Promise<Result<WorkBranch, Trouble>> {
  const [snapshot, work] = await Promise.all([readSnapshot(kept), fetchedWork(kept)])
  if (snapshot === null || work === null) return failed(NOTHING_FETCHED)
  const { top, head } = snapshot
  if ((await gitText(['rev-parse', '--git-dir'], { cwd: top, mayFail: true })) === '') return failed(noRepository(top))
  if (!(await isBranchName(name))) return failed(noName(name))
  if (await branchExists(top, name)) return failed(exists(name, top))
  const commit = await newestCommit(kept, snapshot, work, title)
  if (commit === null) return failed(NO_CHANGES)
  const range = head === null ? [commit] : [commit, `^${head}`]
  const commits = Number(await gitText([...inRepository(kept), 'rev-list', '--count', ...range]))
  return ok({ name, commit, commits, top })
}

/**
 * Makes the branch in the user's repository. Neither the work tree nor the checked-out branch changes, and no hook of the repository runs.
 * Fails if the branch exists by now.
 */
export async function makeBranch(kept: string, { name, commit, top }: WorkBranch): Promise<Result<null, Trouble>> {
  const incoming = `refs/countersign/incoming-${randomUUID()}`
  await git([...inRepository(kept), 'update-ref', OUT_REF, commit])
  const [, repository = ''] = inRepository(kept)
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance']
  await git(['-c', 'fetch.fsckObjects=true', 'fetch', ...options, '--', repository, `+${OUT_REF}:${incoming}`], { cwd: top })
  try {
    const mustBeNew = '0'.repeat(commit.length)
    const reason = ['--create-reflog', '-m', 'countersign: work of a session']
    const made = await git(['update-ref', ...reason, `refs/heads/${name}`, commit, mustBeNew], { cwd: top, mayFail: true })
    if (made.failure === null) return ok(null)
    return failed((await branchExists(top, name)) ? exists(name, top) : notMade(name, made.stderr.trim()))
  } finally {
    await git(['update-ref', '-d', incoming], { cwd: top, mayFail: true })
  }
}

/**
 * The commit with everything that was fetched. Null if the clone has no commits and no changes. Without commits of its own, the user's own
 * uncommitted changes at the time of the clone come first, in a commit of their own.
 */
async function newestCommit(kept: string, { top, head, base }: Snapshot, work: string, title: string): Promise<string | null> {
  const treeOf = (commit: string): Promise<string> => gitText([...inRepository(kept), 'rev-parse', `${commit}^{tree}`])
  const variables = await authorIn(top)
  const commitOn = async (parent: string | null, tree: string, message: string): Promise<string> => {
    const parents = parent === null ? [] : ['-p', parent]
    return gitText([...inRepository(kept), 'commit-tree', tree, ...parents, '-F', '-'], { input: `${message}\n`, variables })
  }
  const own = await fetchedHead(kept)
  const [workTree, baseTree] = await Promise.all([treeOf(work), treeOf(base)])
  if (own !== null) return (await treeOf(own)) === workTree ? own : commitOn(own, workTree, title)
  if (workTree === baseTree) return null
  const isClean = head !== null && (await treeOf(head)) === baseTree
  const parent = isClean || head === null ? head : await commitOn(head, baseTree, 'Uncommitted changes when the session began')
  return commitOn(parent, workTree, title)
}

/** The user's own name for commits, if git knows it. The time is now. */
async function authorIn(top: string): Promise<Readonly<Record<string, string>>> {
  const asked = (key: string): Promise<string> => gitText(['config', '--get', key], { cwd: top, mayFail: true })
  const [name, email] = await Promise.all([asked('user.name'), asked('user.email')])
  const date = `${Math.floor(Date.now() / 1000)} +0000`
  return {
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
    ...(name !== '' && { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email !== '' && { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  }
}

async function isBranchName(name: string): Promise<boolean> {
  if (name.startsWith('-') || name === 'HEAD') return false
  return (await git(['check-ref-format', `refs/heads/${name}`], { mayFail: true })).failure === null
}

async function branchExists(top: string, name: string): Promise<boolean> {
  return (await git(['show-ref', '--verify', '--quiet', `refs/heads/${name}`], { cwd: top, mayFail: true })).failure === null
}

const KEPT = 'Your repository and the session are unchanged.'

const NOTHING_FETCHED: Trouble = {
  code: 'branch_not_made',
  what: 'Nothing was fetched from the clone of this session yet, so no branch can be made from it.',
  kept: KEPT,
  todo: 'Let the session finish a turn, then try again.',
}

const NO_CHANGES: Trouble = {
  code: 'branch_not_made',
  what: 'The clone has no commits and no changes of its own, so no branch was made.',
  kept: KEPT,
  todo: 'Make a branch when the session has changed something.',
}

const noRepository = (top: string): Trouble => ({
  code: 'branch_not_made',
  what: `${top} is not in a git repository, so it has no branches.`,
  kept: KEPT,
  todo: 'Bring the changes in instead, without --branch.',
})

const noName = (name: string): Trouble => ({
  code: 'branch_not_made',
  what: `“${name}” cannot be the name of a branch.`,
  kept: KEPT,
  todo: 'Choose a name such as fix-login.',
})

const exists = (name: string, top: string): Trouble => ({
  code: 'branch_exists',
  what: `The branch ${name} exists in ${top}.`,
  kept: 'The branch, your repository and the session are unchanged.',
  todo: 'Choose another name, or delete the branch first.',
})

const notMade = (name: string, why: string): Trouble => ({
  code: 'branch_not_made',
  what: `The branch ${name} was not made. git says: ${why}`,
  kept: KEPT,
  todo: 'Choose another name, or fix the cause, then try again.',
})

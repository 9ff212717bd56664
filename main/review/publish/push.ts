import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { actGit, decoded, GitFailure, openRepository, readGit, readStatus } from '../git/repository.ts'
import { runAsUser, type UserPlace } from './run-as-user.ts'

/** Stages every change that git lists. */
export async function stageAll(env: ExecutionEnvironment): Promise<Result<null, Trouble>> {
  try {
    const place = await openRepository(env)
    if (!place) return failed(notDone('Nothing was staged', 'This folder is not in a git repository.'))
    await actGit(place, ['add', '--all'])
    return ok(null)
  } catch (error) {
    return failed(notDone('Nothing was staged', messageOf(error)))
  }
}

/** Pushes the current branch to its upstream, or to a branch of the same name on `origin` or on the only remote. */
export async function push(user: UserPlace): Promise<Result<null, Trouble>> {
  try {
    const place = await openRepository(user.env)
    const { branch, upstream } = place ? await readStatus(place) : { branch: null, upstream: null }
    if (!place || branch === null) return failed(notDone('Nothing was pushed', 'No branch is checked out.'))
    const remotes = decoded(await readGit(place, ['remote']))
      .split('\n')
      .filter(Boolean)
    const remote = remotes.includes('origin') ? 'origin' : remotes.length === 1 ? remotes[0] : undefined
    if (upstream === null && remote === undefined)
      return failed(notDone('Nothing was pushed', 'The repository has no remote named origin.'))
    // With the full ref, a branch name such as `--mirror` or `+main` cannot act as an option or a forced push.
    const named = ['--set-upstream', '--', remote ?? '', `refs/heads/${branch}:refs/heads/${branch}`]
    const pushed = await runAsUser(user, ['git', 'push', ...(upstream === null ? named : [])])
    return pushed?.ok === true ? ok(null) : failed(notDone('Nothing was pushed', pushed?.said ?? 'git is not installed.'))
  } catch (error) {
    return failed(notDone('Nothing was pushed', messageOf(error)))
  }
}

const messageOf = (error: unknown): string =>
  error instanceof GitFailure ? error.said : error instanceof Error ? error.message : String(error)

const notDone = (what: string, said: string): Trouble => ({
  code: 'git_failed',
  what: `${what}. Git says: ${said.slice(-4_000)}`,
  kept: 'All files and commits are unchanged.',
  todo: 'Read git’s message and fix the cause. If git asks for a password, use a terminal.',
})

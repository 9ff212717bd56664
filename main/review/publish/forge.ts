import type { PullRequest, PullRequestState } from '../../../shared/api/changes/publish.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { githubComments, githubRequest } from './read-github.ts'
import { gitlabChecks, gitlabRequest } from './read-gitlab.ts'
import { runAsUser, type UserPlace } from './run-as-user.ts'

/** The log of a failed check is cut after this many lines. */
const MAX_LINES = 400

/** `glab` for a GitLab remote and otherwise `gh`, or the other program if only that is installed. Null if neither is installed. */
async function programFor(place: UserPlace): Promise<'gh' | 'glab' | null> {
  const remote = await runAsUser(place, ['git', 'remote', 'get-url', 'origin'])
  const order = /gitlab/iu.test(remote?.text ?? '') ? (['glab', 'gh'] as const) : (['gh', 'glab'] as const)
  for (const program of order) if ((await runAsUser(place, [program, '--version'])) !== null) return program
  return null
}

/** The pull request of the current branch. */
export async function pullRequest(place: UserPlace): Promise<PullRequestState> {
  const program = await programFor(place)
  if (program === null) return { kind: 'no_program' }
  const found = program === 'gh' ? await readGithub(place) : await readGitlab(place)
  if (!found.ok) return { kind: 'failed', trouble: found.failure }
  return found.value === null ? { kind: 'none', program } : { kind: 'found', program, request: found.value }
}

const NONE = /no (?:open )?(?:pull|merge) requests? found|no merge request|could not find any/iu

async function readGithub(place: UserPlace): Promise<Result<PullRequest | null, Trouble>> {
  const fields = 'number,title,url,state,baseRefName,body,statusCheckRollup'
  const viewed = await runAsUser(place, ['gh', 'pr', 'view', '--json', fields])
  if (!viewed?.ok) return NONE.test(viewed?.said ?? '') ? ok(null) : failed(notRead('gh', viewed?.said ?? ''))
  const request = githubRequest(viewed.text)
  if (request === null) return failed(notRead('gh', 'Its answer has an unknown format.'))
  const comments = await runAsUser(place, ['gh', 'api', `repos/{owner}/{repo}/pulls/${request.number}/comments`])
  return ok({ ...request, comments: comments?.ok === true ? githubComments(comments.text) : [] })
}

async function readGitlab(place: UserPlace): Promise<Result<PullRequest | null, Trouble>> {
  const viewed = await runAsUser(place, ['glab', 'mr', 'view', '--output', 'json'])
  if (!viewed?.ok) return NONE.test(viewed?.said ?? '') ? ok(null) : failed(notRead('glab', viewed?.said ?? ''))
  const request = gitlabRequest(viewed.text)
  if (request === null) return failed(notRead('glab', 'Its answer has an unknown format.'))
  const pipeline = await runAsUser(place, ['glab', 'ci', 'get', '--output', 'json'])
  return ok({ ...request, checks: pipeline?.ok === true ? gitlabChecks(pipeline.text) : [] })
}

export async function openPullRequest(place: UserPlace, title: string, description: string): Promise<Result<null, Trouble>> {
  const program = await programFor(place)
  if (program === null) return failed(NO_PROGRAM)
  const argv =
    program === 'gh'
      ? (['gh', 'pr', 'create', '--title', title, '--body', description] as const)
      : (['glab', 'mr', 'create', '--title', title, '--description', description, '--yes'] as const)
  const made = await runAsUser(place, [...argv])
  return made?.ok === true ? ok(null) : failed(notOpened(program, made?.said ?? ''))
}

/** The output of the failed steps of a check. */
export async function failedLines(place: UserPlace, id: string): Promise<Result<readonly string[], Trouble>> {
  const program = await programFor(place)
  if (program === null) return failed(NO_PROGRAM)
  const log = await runAsUser(place, program === 'gh' ? ['gh', 'run', 'view', '--job', id, '--log-failed'] : ['glab', 'ci', 'trace', id])
  if (log?.ok !== true) return failed(notRead(program, log?.said ?? ''))
  const lines = log.text.trimEnd().split('\n').map(withoutPrefix)
  return ok(lines.slice(-20_000))
}

/** Removes the job, the step and the time, which `gh` puts before each line. */
const withoutPrefix = (line: string): string => line.replace(/^[^\t]*\t[^\t]*\t\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z ?/u, '')

/** The lines to show: from two lines before the first failure, or the last lines if `first` is null. */
export const fromFirstFailure = (lines: readonly string[], first: number | null): readonly string[] => {
  const last = Math.max(0, lines.length - MAX_LINES)
  const start = Math.max(0, first === null ? last : Math.min(first - 2, lines.length))
  return lines.slice(start, start + MAX_LINES)
}

const NO_PROGRAM: Trouble = {
  code: 'no_forge_program',
  what: 'Neither gh nor glab is installed, so Countersign cannot open pull requests.',
  kept: 'Everything is unchanged.',
  todo: 'Install gh (GitHub) or glab (GitLab) and sign in with it, or open the pull request in the browser.',
}

const notRead = (program: string, said: string): Trouble => ({
  code: 'pull_request_not_read',
  what: `The pull request was not read. ${program} says: ${said}`,
  kept: 'Everything is unchanged.',
  todo: `Read what ${program} says, fix the cause (for example sign in with ${program} auth login), then try again.`,
})

const notOpened = (program: string, said: string): Trouble => ({
  code: 'pull_request_not_opened',
  what: `The pull request was not opened. ${program} says: ${said}`,
  kept: 'Your commits and the branch are unchanged.',
  todo: `Read what ${program} says, fix the cause, then try again.`,
})

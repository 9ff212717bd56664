import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'

/** A repository as it stood when the session began (S-35). */
export interface GitSnapshot {
  /** Null: no branch is checked out. */
  readonly branch: string | null
  readonly changed: number
  readonly untracked: number
  /** Subjects of the newest commits, newest first. */
  readonly commits: readonly string[]
}

/** Milliseconds for each look: a prompt without a snapshot is better than one that keeps a person waiting. */
const TIMEOUT_MS = 1_500
/** S-35 names 5 to 10. */
const COMMITS = 8
/** Characters of a subject: it is written by anybody. */
const LONGEST_SUBJECT = 120
/** Bytes of the list of changed files; of what is longer only the branch is known. */
const MAX_BYTES = 8 * 1024 * 1024

/** Nothing that a repository's own configuration names is run (security 2.4). */
const NEUTRAL = [
  ...['--no-optional-locks', '--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.pager=cat'],
  ...['-c', 'log.showSignature=false', '-c', 'status.submoduleSummary=false'],
] as const
const QUIET_ENV = { GIT_ASKPASS: '', GIT_NO_LAZY_FETCH: '1' } as const

/** To be called in a trusted folder that lies in a repository. Null where git is missing, does not want to, or takes too long. */
export async function gitSnapshot(env: ExecutionEnvironment): Promise<GitSnapshot | null> {
  const filters = await withoutFilters(env)
  if (filters === null) return null
  const [status, log] = await Promise.all([
    git(env, [...filters, 'status', '--porcelain=v2', '--branch', '--ignore-submodules=all', '--untracked-files=normal', '-z']),
    git(env, ['log', '-n', String(COMMITS), '--format=%s', '--no-show-signature']),
  ])
  if (status === null) return null
  return { ...readStatus(status), commits: (log ?? '').split('\n').filter(Boolean).map(shortened) }
}

/** Clean filters run even in a hardened status; reading their names executes nothing, and an empty one is none. */
async function withoutFilters(env: ExecutionEnvironment): Promise<readonly string[] | null> {
  const text = await git(
    env,
    ['config', '--null', '--name-only', '--get-regexp', String.raw`^filter\..*\.(clean|process|smudge|required)$`],
    [0, 1],
  )
  if (text === null) return null
  const names = new Set(
    text
      .split('\0')
      .filter(Boolean)
      .map((key) => key.slice('filter.'.length, key.lastIndexOf('.'))),
  )
  return [...names].flatMap((name) => [
    ...['-c', `filter.${name}.clean=`, '-c', `filter.${name}.process=`],
    ...['-c', `filter.${name}.smudge=`, '-c', `filter.${name}.required=false`],
  ])
}

async function git(env: ExecutionEnvironment, args: readonly string[], fine: readonly number[] = [0]): Promise<string | null> {
  try {
    const argv = ['git', ...NEUTRAL, ...args] as const
    const { stdout, exitCode, capped } = await env.spawn(argv, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, env: QUIET_ENV })
    return !capped && exitCode !== null && fine.includes(exitCode) ? new TextDecoder().decode(stdout) : null
  } catch {
    return null
  }
}

/** `git status --porcelain=v2 --branch -z`; a renamed file is followed by its old name as an entry of its own. */
function readStatus(text: string): Omit<GitSnapshot, 'commits'> {
  let branch: string | null = null
  let changed = 0
  let untracked = 0
  const entries = text.split('\0')
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] ?? ''
    if (entry.startsWith('# branch.head ')) branch = entry.slice('# branch.head '.length)
    else if (entry.startsWith('? ')) untracked++
    else if (/^[12u] /u.test(entry)) changed++
    if (entry.startsWith('2 ')) at++
  }
  return { branch: branch === '(detached)' ? null : branch, changed, untracked }
}

function shortened(subject: string): string {
  return subject.length > LONGEST_SUBJECT ? `${subject.slice(0, LONGEST_SUBJECT).trimEnd()}…` : subject
}

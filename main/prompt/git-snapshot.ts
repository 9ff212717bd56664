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

/** Names of the programs that a repository would have run over its files; 1 says that there are none, any other failure nothing. */
const FILTERS = String.raw`git config --null --name-only --get-regexp '^filter\..*\.(clean|process|smudge|required)$' && exit || test $? = 1 || exit 2`
const STATUS = 'git status --porcelain=v2 --branch --ignore-submodules=all --untracked-files=normal -z'
const LOG = `git log -n ${COMMITS} --format=%s --no-show-signature`

/**
 * To be called in a trusted folder that lies in a repository. Null where git is missing, does not want to, or takes too long. `meanwhile` is
 * called once, when nothing is left to do but wait for it.
 */
export async function gitSnapshot(env: ExecutionEnvironment, meanwhile = (): void => {}): Promise<GitSnapshot | null> {
  const looking = look(env, [], FILTERS)
  meanwhile()
  let text = await looking
  // Clean filters run even in a hardened status; reading their names executes nothing, and an empty one is none.
  if (text !== null && !text.startsWith('\0')) {
    const flags = withoutFilters(text)
    text = flags && (await look(env, flags))
  }
  if (text === null) return null
  const end = text.indexOf('\0\0')
  return {
    ...readStatus(text.slice(1, end)),
    commits: text
      .slice(end + 2)
      .split('\n')
      .filter(Boolean)
      .map(shortened),
  }
}

/** A NUL, the status, a NUL, the log; or, where `first` succeeds, what that prints. */
function look(env: ExecutionEnvironment, flags: readonly string[], first = 'false'): Promise<string | null> {
  // Git's own shell starts the three in 2 ms; started by the app each would hold it up for 5, before its first request.
  const script = `${first}; printf '\\0'; ${STATUS} || exit; printf '\\0'; ${LOG} || :`
  return git(env, [...flags, '-c', `alias.countersign-look=!${script}`, 'countersign-look'])
}

/** Null: one of them cannot be named so, as `-c` takes what stands before the first `=` for the name. */
function withoutFilters(found: string): readonly string[] | null {
  const keys = found.split('\0').filter(Boolean)
  if (keys.some((key) => key.includes('='))) return null
  const names = new Set(keys.map((key) => key.slice('filter.'.length, key.lastIndexOf('.'))))
  return [...names].flatMap((name) => [
    ...['-c', `filter.${name}.clean=`, '-c', `filter.${name}.process=`],
    ...['-c', `filter.${name}.smudge=`, '-c', `filter.${name}.required=false`],
  ])
}

async function git(env: ExecutionEnvironment, args: readonly string[]): Promise<string | null> {
  try {
    const argv = ['git', ...NEUTRAL, ...args] as const
    const { stdout, exitCode, capped } = await env.spawn(argv, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, env: QUIET_ENV })
    return !capped && exitCode === 0 ? new TextDecoder().decode(stdout) : null
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

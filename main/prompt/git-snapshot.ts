import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'

/** The state of a repository at the start of the session. */
export interface GitSnapshot {
  /** Null if no branch is checked out. */
  readonly branch: string | null
  readonly changed: number
  readonly untracked: number
  /** Subjects of the newest commits, newest first. */
  readonly commits: readonly string[]
}

/** Time limit in ms: a prompt without a snapshot is better than making the user wait. */
const TIMEOUT_MS = 1_500
const COMMITS = 8
/** Maximum number of characters that are kept of a commit's subject, which can have any length. */
const LONGEST_SUBJECT = 120
/** Maximum size of the list of changed files, in bytes. If the list is longer, there is no snapshot. */
const MAX_BYTES = 8 * 1024 * 1024

/** Prevents git from running programs that the repository's own configuration specifies. */
export const NEUTRAL_GIT = [
  '--no-optional-locks',
  '--no-pager',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.pager=cat',
  '-c',
  'log.showSignature=false',
  '-c',
  'status.submoduleSummary=false',
] as const
/** Older versions of git ignore `GIT_NO_LAZY_FETCH`, but they fetch nothing if no protocol is allowed. */
export const QUIET_ENV = { GIT_ASKPASS: '', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '' } as const

/** Lists the filter programs that the repository configures. Git exits with 1 if there are none. */
const FILTERS = String.raw`git config --null --name-only --get-regexp '^filter\..*\.(clean|process|smudge|required)$' && exit || test $? = 1 || exit 2`
const STATUS = 'git status --porcelain=v2 --branch --ignore-submodules=all --untracked-files=normal -z'
const LOG = `git log -n ${COMMITS} --format=%s --no-show-signature`

/**
 * Reads the facts about a repository for the prompt. Call it only in a trusted folder that is in a repository. Resolves to null if git is
 * missing, fails or takes too long. `meanwhile` is called once while git runs.
 */
export async function gitSnapshot(env: ExecutionEnvironment, meanwhile = (): void => {}): Promise<GitSnapshot | null> {
  const looking = look(env, [], FILTERS)
  meanwhile()
  let text = await looking
  // `NEUTRAL_GIT` does not disable clean filters, but an empty setting for each filter does. Listing the filters' names runs none of them.
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

/** Runs `first`. If that exits the shell, only its output is printed. Otherwise, a NUL, the status, a NUL and the log follow. */
function look(env: ExecutionEnvironment, flags: readonly string[], first = 'false'): Promise<string | null> {
  // Git starts a shell, which runs all three commands in 2 ms. If the app started each command, each start would block the app for 5 ms
  // before the first request.
  const script = `${first}; printf '\\0'; ${STATUS} || exit; printf '\\0'; ${LOG} || :`
  return git(env, [...flags, '-c', `alias.countersign-look=!${script}`, 'countersign-look'])
}

/**
 * Returns git options that disable the filters in `found` (names of settings, each terminated by NUL). Null if a name contains `=`, which
 * git's `-c` cannot express.
 */
export function withoutFilters(found: string): readonly string[] | null {
  const keys = found.split('\0').filter(Boolean)
  if (keys.some((key) => key.includes('='))) return null
  const names = new Set(keys.map((key) => key.slice('filter.'.length, key.lastIndexOf('.'))))
  return [...names].flatMap((name) => [
    '-c',
    `filter.${name}.clean=`,
    '-c',
    `filter.${name}.process=`,
    '-c',
    `filter.${name}.smudge=`,
    '-c',
    `filter.${name}.required=false`,
  ])
}

async function git(env: ExecutionEnvironment, args: readonly string[]): Promise<string | null> {
  try {
    const argv = ['git', ...NEUTRAL_GIT, ...args] as const
    const { stdout, exitCode, capped } = await env.spawn(argv, {
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      env: QUIET_ENV,
      onlyReads: true,
    })
    return !capped && exitCode === 0 ? new TextDecoder().decode(stdout) : null
  } catch {
    return null
  }
}

/** Parses `git status --porcelain=v2 --branch -z`. A renamed file is followed by an entry with its old name. */
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

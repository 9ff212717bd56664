import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { OwnEnd, OwnRun } from '../../environment/own-programs/run-own-program.ts'
import { lastWords, runTool } from '../made/run-tool.ts'

/** Time limit in ms for one git command on a large repository. */
const LIMIT_MS = 10 * 60_000
/** Maximum size in bytes of the output of one git command. */
const MAX_BYTES = 512 * 1024 ** 2

/** The author of our commits. With the fixed date, the same content has the same hash. */
const AUTHOR = {
  GIT_AUTHOR_NAME: 'Countersign',
  GIT_AUTHOR_EMAIL: 'countersign@localhost',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Countersign',
  GIT_COMMITTER_EMAIL: 'countersign@localhost',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
} as const
/** Settings that keep a repository from naming programs that this computer would run. */
const QUIET = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0'] as const

interface GitRun extends Partial<OwnRun> {
  /** If true, a failure does not reject; it is in the result. */
  readonly mayFail?: boolean
}

/** Runs git on this computer. Rejects with `EGIT` and git's error message. */
export async function git(args: readonly string[], { mayFail = false, ...run }: GitRun = {}): Promise<OwnEnd> {
  const variables = { ...AUTHOR, GIT_TERMINAL_PROMPT: '0', ...run.variables }
  const ended = await runTool('git', [...QUIET, ...args], { timeoutMs: LIMIT_MS, maxBytes: MAX_BYTES, ...run, variables })
  if (ended.failure === null || mayFail) return ended
  throw new EnvironmentFailure('EGIT', `git failed on this computer (EGIT): ${args.join(' ')}. ${lastWords(ended)}`.trim())
}

/** Runs git, and returns its output as trimmed text. Empty if git failed and `mayFail` is set. */
export async function gitText(args: readonly string[], run: GitRun = {}): Promise<string> {
  const { stdout, failure } = await git(args, run)
  return failure === null ? stdout.toString('utf8').trim() : ''
}

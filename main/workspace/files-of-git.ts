import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { NEUTRAL_GIT } from '../prompt/git-snapshot.ts'

/** Maximum size in bytes of git's list. */
const MAX_BYTES = 64 * 1024 ** 2

/** Which files git lists: only those that it tracks, or also new ones that it does not ignore. */
export type Listed = 'tracked' | 'not-ignored'

const OPTIONS = {
  tracked: ['--cached', '--deduplicate'],
  'not-ignored': ['--cached', '--others', '--exclude-standard', '--deduplicate'],
} as const

/** The files that git lists in the folder of this environment, as paths relative to it. Null if git cannot list them. */
export async function filesOfGit(
  env: Pick<ExecutionEnvironment, 'spawn'>,
  listed: Listed,
  most: number,
): Promise<readonly string[] | null> {
  const argv = ['git', ...NEUTRAL_GIT, 'ls-files', '-z', ...OPTIONS[listed]] as const
  const run = await env.spawn(argv, { timeoutMs: 10_000, maxBytes: MAX_BYTES, onlyReads: true }).catch(() => null)
  if (run?.exitCode !== 0 || run.capped) return null
  return new TextDecoder().decode(run.stdout).split('\0', most).filter(Boolean)
}

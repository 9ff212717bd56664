import { Buffer } from 'node:buffer'
import type { GitRepository } from '../../../shared/api/changes/git.ts'
import type { ExecutionEnvironment, SpawnResult } from '../../agent/ports/execution-environment.ts'
import { NEUTRAL_GIT, QUIET_ENV, withoutFilters } from '../../prompt/git-snapshot.ts'
import { parseStatus } from './parse-status.ts'

/** Time limit in ms for reading. If git takes longer, the read fails. */
const READ_MS = 30_000
/** Time limit in ms. A commit may run the user's hooks, such as tests and linters. */
const COMMIT_MS = 30 * 60_000
/** Maximum size in bytes of the output of one git command. It is enough for a status with about 50,000 changed files. */
const MAX_BYTES = 16 * 1024 * 1024

/** Git failed. `said` is git's own explanation. */
export class GitFailure extends Error {
  readonly said: string
  constructor(said: string) {
    super(said)
    this.said = said
  }
}

/** The folder in which git works for a session. */
export interface GitPlace {
  readonly env: ExecutionEnvironment
  /** Top folder of the repository, or the session's folder until the top folder is known. */
  readonly folder: string
  /** Options that prevent the configured filter programs from running. */
  readonly filtersOff: readonly string[]
}

/**
 * The repository that contains a folder; null if there is none or git is not installed. Reading it runs none of the programs in its
 * configuration.
 */
export async function openRepository(env: ExecutionEnvironment): Promise<GitPlace | null> {
  const folder = env.workingDirectory()
  const found = await run(env, folder, [...NEUTRAL_GIT, 'rev-parse', '--show-toplevel'], READ_MS).catch(() => null)
  if (found === null) return null
  if (found.exitCode !== 0) {
    if (/not a git repository|must be run in a work tree/iu.test(found.stderr)) return null
    throw new GitFailure(found.stderr.trim())
  }
  const top = decoded(found.stdout).replace(/\r?\n$/u, '')
  const listed = await run(
    env,
    top,
    [...NEUTRAL_GIT, 'config', '--null', '--name-only', '--get-regexp', String.raw`^filter\..*\.(clean|process|smudge|required)$`],
    READ_MS,
  )
  const filtersOff = listed.exitCode === 0 ? withoutFilters(decoded(listed.stdout)) : []
  if (filtersOff === null) throw new GitFailure('Its configuration contains a filter that cannot be disabled because of its name.')
  return { env, folder: top, filtersOff }
}

/** The standard output of a git command that only reads. Throws a `GitFailure`. */
export async function readGit(place: GitPlace, args: readonly string[], input?: Uint8Array): Promise<Uint8Array> {
  return succeeded(
    await run(place.env, place.folder, ['--literal-pathspecs', ...NEUTRAL_GIT, ...place.filtersOff, ...args], READ_MS, { input }),
  )
}

/** Runs a git command that the user requested, with the user's configuration, hooks, filters and signing. Throws a `GitFailure`. */
export async function actGit(place: GitPlace, args: readonly string[], input?: Uint8Array): Promise<Uint8Array> {
  const env = { GIT_OPTIONAL_LOCKS: '1' }
  return succeeded(await run(place.env, place.folder, ['--literal-pathspecs', ...args], COMMIT_MS, { input, env }))
}

export async function readStatus(place: GitPlace): Promise<GitRepository> {
  const args = ['status', '--porcelain=v2', '--branch', '--ignore-submodules=dirty', '--untracked-files=all', '-z']
  return { kind: 'repository', top: place.folder, ...parseStatus(decoded(await readGit(place, args))) }
}

/** The bytes of a blob, given by a name such as `:path` or `HEAD:path`; null if there is none. */
export async function blobOf(place: GitPlace, name: string): Promise<Uint8Array | null> {
  const got = await run(place.env, place.folder, [...NEUTRAL_GIT, 'cat-file', 'blob', name], READ_MS)
  if (got.capped) throw new GitFailure('The file is too large to be read.')
  return got.exitCode === 0 ? got.stdout : null
}

interface Extra {
  readonly input?: Uint8Array | undefined
  readonly env?: Readonly<Record<string, string>>
}

function run(
  env: ExecutionEnvironment,
  folder: string,
  args: readonly string[],
  timeoutMs: number,
  extra: Extra = {},
): Promise<SpawnResult> {
  return env.spawn(['git', ...args], {
    workingDir: folder,
    timeoutMs,
    maxBytes: MAX_BYTES,
    env: extra.env ?? QUIET_ENV,
    ...(extra.input && { input: extra.input }),
  })
}

function succeeded({ stdout, stderr, exitCode, capped }: SpawnResult): Uint8Array {
  if (capped) throw new GitFailure('There are too many changes to show all of them.')
  if (exitCode !== 0) throw new GitFailure(stderr.trim() || decoded(stdout).trim() || `git ended with exit code ${exitCode}.`)
  return stdout
}

export const decoded = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

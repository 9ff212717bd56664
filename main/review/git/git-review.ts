import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import type { GitSide, GitStatus, GitTexts, StagedHunk } from '../../../shared/api/changes/git.ts'
import type { BlobText } from '../../../shared/api/changes/changes.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { hashOf } from '../../agent/blob-hash.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { actGit, blobOf, decoded, GitFailure, type GitPlace, openRepository, readGit, readStatus } from './repository.ts'
import { stagedLines, unstagedLines } from './stage-lines.ts'

/** Shows bytes as text. */
export type AsText = (bytes: Uint8Array) => BlobText

/** Hunks of the version of a file that was shown to the user. */
export interface ChosenHunks {
  readonly version: string
  readonly lines: readonly StagedHunk[]
}

/** Maximum size in bytes of a file that is read from the folder. */
const MAX_BYTES = 16 * 1024 * 1024

export async function gitStatus(env: ExecutionEnvironment): Promise<GitStatus> {
  try {
    const place = await openRepository(env)
    return place ? await readStatus(place) : { kind: 'none' }
  } catch (error) {
    return {
      kind: 'failed',
      trouble: troubleOf(error, 'The repository could not be read', 'Read git’s message, fix the cause, then try again.'),
    }
  }
}

export function gitTexts(env: ExecutionEnvironment, side: GitSide, path: string, asText: AsText): Promise<Result<GitTexts, Trouble>> {
  return inRepository(env, `${path} could not be read`, async (place) => {
    const { before, after, version, wholeOnly } = await versionsOf(place, side, path)
    return ok({ before: before && asText(before), after: after && asText(after), version, wholeOnly })
  })
}

/** Stages or unstages a file, or hunks of the version that was shown. */
export function stage(env: ExecutionEnvironment, side: GitSide, path: string, hunks: ChosenHunks | null): Promise<Result<null, Trouble>> {
  const verb = side === 'staged' ? 'unstaged' : 'staged'
  return inRepository(env, `${path} was not ${verb}`, async (place) => {
    if (hunks === null) {
      await actGit(place, side === 'staged' ? ['reset', '--quiet', '--', path] : ['add', '--all', '--', path])
      return ok(null)
    }
    const versions = await versionsOf(place, side, path)
    if (versions.version !== hunks.version) return failed(CHANGED)
    if (versions.wholeOnly !== null || versions.before === null || versions.after === null) return stage(env, side, path, null)
    const make = side === 'staged' ? unstagedLines : stagedLines
    const [target, source] = side === 'staged' ? [versions.after, versions.before] : [versions.before, versions.after]
    const bytes = make(target, source, hunks.lines)
    if (bytes === null) return failed(CHANGED)
    const mode = decoded(await readGit(place, ['ls-files', '--stage', '-z', '--', path])).slice(0, 6)
    const hash = decoded(await actGit(place, ['hash-object', '-w', '--stdin', '--no-filters'], bytes)).trim()
    await actGit(place, ['update-index', '--cacheinfo', `${mode},${hash},${path}`])
    return ok(null)
  })
}

/** Commits the staged changes. Resolves to the commit's abbreviated hash. */
export function commit(env: ExecutionEnvironment, message: string): Promise<Result<string, Trouble>> {
  return inRepository(env, 'Nothing was committed', async (place) => {
    await actGit(place, ['commit', '--quiet', '--file=-'], Buffer.from(`${message.trim()}\n`, 'utf8'))
    return ok(decoded(await readGit(place, ['rev-parse', '--short', 'HEAD'])).trim())
  })
}

interface Versions {
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
  readonly version: string
  readonly wholeOnly: string | null
}

async function versionsOf(place: GitPlace, side: GitSide, path: string): Promise<Versions> {
  const index = await blobOf(place, `:${path}`)
  if (side === 'staged') {
    const same = await blobOf(place, `HEAD:${path}`)
    const renamed = same === null && index !== null ? await renamedFrom(place, path) : undefined
    const head = renamed === undefined ? same : await blobOf(place, `HEAD:${renamed}`)
    return withVersion(head, index, renamed === undefined ? null : 'The file was renamed, so it can only be unstaged as a whole.')
  }
  const { endings, wholeOnly } = await attributesOf(place, path)
  const bytes = await fileOf(place, path)
  return withVersion(index, bytes && index && endings === 'converted' ? withLineFeeds(bytes, index) : bytes, wholeOnly)
}

async function renamedFrom(place: GitPlace, path: string): Promise<string | undefined> {
  const { staged } = await readStatus(place)
  return staged.find((file) => file.path === path)?.from ?? undefined
}

function withVersion(before: Uint8Array | null, after: Uint8Array | null, wholeOnly: string | null): Versions {
  const name = (bytes: Uint8Array | null): string => (bytes === null ? '-' : hashOf(bytes))
  return { before, after, version: `${name(before)} ${name(after)}`, wholeOnly }
}

/** Null if there is no file. For a link, the content is the path of its target, as in git. */
async function fileOf({ env, folder }: GitPlace, path: string): Promise<Uint8Array | null> {
  const file = join(folder, path)
  const found = await env.lstat(file)
  if (found === null || found.kind === 'folder') return null
  if (found.kind === 'symlink') return Buffer.from(await env.readlink(file), 'utf8')
  return env.readBytes(file, { maxBytes: MAX_BYTES })
}

/**
 * Returns whether git converts the file's line endings when it stages the file, and the reason why the file can only be staged as a whole
 * (null if there is none).
 */
async function attributesOf(place: GitPlace, path: string) {
  const listed = decoded(await readGit(place, ['check-attr', '-z', 'filter', 'text', 'eol', 'working-tree-encoding', '--', path])).split(
    '\0',
  )
  const attribute = (name: string): string => listed[listed.indexOf(name) + 1] ?? 'unspecified'
  const isSet = (name: string): boolean => !['unspecified', 'unset'].includes(attribute(name))
  const converts = isSet('text') || isSet('eol') || (attribute('text') !== 'unset' && (await convertsByDefault(place)))
  return {
    endings: converts ? ('converted' as const) : ('kept' as const),
    wholeOnly: isSet('filter')
      ? 'A filter changes this file when it is staged, so it can only be staged as a whole.'
      : isSet('working-tree-encoding')
        ? 'Git stores this file in another encoding, so it can only be staged as a whole.'
        : null,
  }
}

async function convertsByDefault(place: GitPlace): Promise<boolean> {
  const value = await readGit(place, ['config', '--get', 'core.autocrlf']).catch(() => null)
  return value !== null && /^(?:true|input|yes|on|1)\s*$/iu.test(decoded(value))
}

/** Converts CRLF to LF, as git does, unless the version in the index contains CRLF. */
function withLineFeeds(bytes: Uint8Array, index: Uint8Array): Uint8Array {
  const asText = (one: Uint8Array): string => Buffer.from(one.buffer, one.byteOffset, one.byteLength).toString('latin1')
  return asText(index).includes('\r\n') ? bytes : Buffer.from(asText(bytes).replaceAll('\r\n', '\n'), 'latin1')
}

async function inRepository<T>(
  env: ExecutionEnvironment,
  what: string,
  work: (place: GitPlace) => Promise<Result<T, Trouble>>,
): Promise<Result<T, Trouble>> {
  try {
    const place = await openRepository(env)
    return place ? await work(place) : failed(NO_REPOSITORY)
  } catch (error) {
    return failed(troubleOf(error, what, 'Read git’s message, fix the cause, then try again.'))
  }
}

function troubleOf(error: unknown, what: string, todo: string): Trouble {
  const said = error instanceof GitFailure ? error.said : error instanceof Error ? error.message : String(error)
  return { code: 'git_failed', what: `${what}. Git says: ${said.slice(-4_000)}`, kept: 'All files and commits are unchanged.', todo }
}

const NO_REPOSITORY: Trouble = {
  code: 'no_repository',
  what: 'This folder is no longer in a git repository.',
  kept: 'All files are unchanged.',
  todo: 'If the folder should be a repository, run git init in a terminal.',
}

const CHANGED: Trouble = {
  code: 'file_changed',
  what: 'The file has changed since its diff was shown, so nothing was staged.',
  kept: 'The file and the index are unchanged.',
  todo: 'Look at the new diff, then stage again.',
}

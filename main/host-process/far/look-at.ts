import { isAbsolute, join, relative } from 'node:path'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { mapAtOnce } from '../../../shared/lib/map-at-once.ts'
import { codeOf } from '../../environment/environment-failure.ts'
import type { ValueOf } from '../wire/methods.ts'

/** A longer file is not read ahead. */
const MAX_CONTENT = 128 * 1024
/** Maximum number of bytes of all contents that are read ahead in one look. */
const MAX_CONTENTS = 1024 ** 2
/** Maximum number of entries of folders that are looked at with the folder. */
const MAX_BELOW = 400
const AT_ONCE = 8

type Facts = ValueOf<'look'>[number]

/**
 * All facts about these paths, and the contents of small files among those to read. A hidden folder in the project, such as `.claude`,
 * holds configuration, which is read whole: its answer has everything below it.
 */
export async function lookAt(
  env: ExecutionEnvironment,
  paths: readonly string[],
  toRead: ReadonlySet<string>,
  send: (bytes: Uint8Array) => Promise<void>,
): Promise<readonly Facts[]> {
  const found: { readonly facts: Facts; readonly bytes: Uint8Array | null }[] = []
  let left = MAX_CONTENTS
  let below = 0
  const add = async (path: string, isRead: boolean): Promise<void> => {
    const facts = await factsOf(env, path)
    const { is: stat = null } = 'is' in facts.stat ? facts.stat : {}
    const size = stat?.kind === 'file' ? stat.size : Infinity
    const bytes = isRead && size <= Math.min(left, MAX_CONTENT) && 'is' in facts.real ? await contentOf(env, facts.real.is) : null
    left -= bytes?.length ?? 0
    const isConfiguration = stat?.kind === 'folder' && below < MAX_BELOW && isHidden(env.workingDirectory(), path)
    const entries = isConfiguration ? await env.listDirectory(path).catch(() => null) : null
    found.push({ facts: { ...facts, bytes: bytes?.length ?? null, entries: entries && [...entries] }, bytes })
    below += entries?.length ?? 0
    if (below <= MAX_BELOW) for (const { name } of entries ?? []) await add(join(path, name), isRead)
  }
  await mapAtOnce([...new Set(paths)], AT_ONCE, (path) => add(path, toRead.has(path)))
  for (const { bytes } of found) if (bytes) await send(bytes)
  return found.map(({ facts }) => facts)
}

/** All facts about a path, without a content. */
export async function factsOf(env: ExecutionEnvironment, path: string): Promise<Facts> {
  const [real, stat, lstat] = await Promise.all([outcome(env.realpath(path)), outcome(env.stat(path)), outcome(env.lstat(path))])
  return { path, real, stat, lstat, bytes: null, entries: null }
}

function isHidden(folder: string, path: string): boolean {
  const inside = isAbsolute(path) ? relative(folder, path) : path
  return /^\.[^./]/u.test(inside) && !/^\.git(?:\/|$)/u.test(inside)
}

/** Null if the file is larger now, cannot be read, or is not where it was. */
const contentOf = (env: ExecutionEnvironment, real: string): Promise<Uint8Array | null> =>
  env.readBytes(real, { maxBytes: MAX_CONTENT, real: true }).catch(() => null)

const outcome = <T>(work: Promise<T>): Promise<{ readonly is: T } | { readonly code: string | null; readonly message: string }> =>
  work.then(
    (is) => ({ is }),
    (error: unknown) => ({ code: codeOf(error) ?? null, message: error instanceof Error ? error.message : String(error) }),
  )

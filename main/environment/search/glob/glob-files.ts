import { lstatSync, realpathSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import type { GlobOptions, GlobResult } from '../../../agent/ports/execution-environment.ts'
import { EnvironmentFailure, orNull } from '../../environment-failure.ts'
import { filesBelow } from './files-below.ts'
import { ONLY_GIT, rulesOf } from '../ignore/folder-ignore-rules.ts'
import { globOfPath, parseGlob } from './glob-pattern.ts'
import { isRegularFile, mustBeSearchFolder, realSearchPlace, topOf } from '../search-path-kind.ts'
import { ancestorsUnchanged } from '../ancestors-unchanged.ts'

/** Number of synchronous `stat` calls between two turns of the event loop. They take about 1 ms. */
const STATS_A_TURN = 300

interface GlobLimits extends GlobOptions {
  /** The folder in which commands can change something. Default: the searched folder. */
  readonly root?: string
}

/**
 * Files below `path` whose path, relative to `path`, matches the pattern. They are sorted by time, newest first, and then by path. The
 * dialect is that of grep's include. Hidden files are included. `.git`, ignored files and links are not. Fails with `EINVAL` if the pattern
 * leads out of the folder, is empty, or is malformed and no file has this name.
 */
export async function globFiles(pattern: string, path: string, limits: GlobLimits): Promise<GlobResult> {
  const { signal, caseSensitive = true } = limits
  signal?.throwIfAborted()
  const start = Date.now()
  await mustBeSearchFolder(path)
  const folder = await realSearchPlace(path, limits.real)
  const inside = within(pattern, path)
  const parsed = parseGlob(inside, caseSensitive)
  if (!parsed.ok && !isRegularFile(`${folder}/${inside}`)) {
    throw new EnvironmentFailure('EINVAL', `The pattern ${pattern} is not well formed: ${parsed.failure} (EINVAL).`)
  }
  const { atLeast, matches } = parsed.ok ? parsed.value : globOfPath(inside)
  const rules = limits.ignored === true ? ONLY_GIT : rulesOf(folder)
  const below = await filesBelow(folder, atLeast, { rules, caseSensitive, signal })
  const found = below.filter((path) => matches(path))
  const paths = await newestFirst(folder, found, signal)
  const shown = paths.slice(0, limits.maxResults ?? paths.length)
  const inPlace = await filesInPlace(shown, folder, ancestorsUnchanged(await topOf(limits.root ?? folder, folder), start))
  return { paths: inPlace, total: paths.length - (shown.length - inPlace.length) }
}

/** Drops files whose listed path leads elsewhere, because a command had replaced a folder with a link. */
async function filesInPlace(paths: readonly string[], folder: string, isUnchanged: (path: string) => boolean): Promise<readonly string[]> {
  const slice = createSlices()
  const kept: string[] = []
  for (const path of paths) {
    await slice()
    const file = join(folder, path)
    if (isUnchanged(file) || orNull(() => realpathSync.native(file)) === file) kept.push(path)
  }
  return kept
}

/** Removes the searched folder from the beginning of the pattern, because models often write it there. */
function within(pattern: string, folder: string): string {
  const posix = sep === '\\' ? pattern.replaceAll('\\', '/') : pattern
  const root = `${folder.replaceAll(sep, '/')}/`
  const named = posix.startsWith(root) ? posix.slice(root.length) : posix.replace(/^(?:\.\/)+/, '')
  const inside = named.replaceAll(/\/(?:\.?\/)+/gu, '/')
  if (inside.trim() === '')
    throw new EnvironmentFailure('EINVAL', `The pattern ${pattern} matches no files; to match all files, use ** (EINVAL).`)
  if (isAbsolute(inside) || inside.split(/[/{},]/u).includes('..')) {
    throw new EnvironmentFailure(
      'EINVAL',
      `The pattern ${pattern} leads out of ${folder}; give the folder to start in as the path (EINVAL).`,
    )
  }
  return inside
}

async function newestFirst(folder: string, found: readonly string[], signal: AbortSignal | undefined): Promise<readonly string[]> {
  const dated: { readonly path: string; readonly time: number }[] = []
  for (const [index, path] of found.entries()) {
    if (index % STATS_A_TURN === STATS_A_TURN - 1) {
      await nextTurn()
      signal?.throwIfAborted()
    }
    const stats = orNull(() => lstatSync(`${folder}/${path}`, { throwIfNoEntry: false }))
    if (stats?.isFile()) dated.push({ path, time: stats.mtimeMs })
  }
  dated.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1))
  return dated.map(({ path }) => path)
}

import { type Dirent, lstatSync, readdir, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FileSystemAdapter } from 'tinyglobby'
import type { GlobResult } from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure, explained } from '../environment-failure.ts'
import { mustBeSearchFolder } from './search-folder.ts'
import { type FolderRules, rulesOf } from './folder-rules.ts'

/** Synchronous looks at files between two turns of the event loop: about 1 ms. */
const STATS_A_TURN = 300

export interface GlobLimits {
  readonly maxResults?: number
  readonly signal?: AbortSignal
}

/**
 * Files below `folder` whose relative path matches, newest first (P2-51, D-11), equal times by path. Hidden files count, `.git` and
 * what `.gitignore` files leave out do not, links are not followed. `EINVAL` for a pattern that leads out of the folder.
 */
export async function globFiles(pattern: string, folder: string, limits: GlobLimits): Promise<GlobResult> {
  limits.signal?.throwIfAborted()
  await mustBeSearchFolder(folder)
  const { glob } = await import('tinyglobby')
  const options = { cwd: folder, dot: true, expandDirectories: false, followSymbolicLinks: false, onlyFiles: true }
  const fs = searchedOnly(folder)
  try {
    const found = await glob(within(pattern, folder), { ...options, fs, ...(limits.signal && { signal: limits.signal }) })
    limits.signal?.throwIfAborted()
    const paths = await newestFirst(folder, found, limits.signal)
    return { paths: paths.slice(0, limits.maxResults ?? paths.length), total: paths.length }
  } catch (error) {
    limits.signal?.throwIfAborted()
    throw explained(error, 'list', folder)
  }
}

/** Models often write the folder in front of the pattern. */
function within(pattern: string, folder: string): string {
  const posix = sep === '\\' ? pattern.replaceAll('\\', '/') : pattern
  const root = `${folder.replaceAll(sep, '/')}/`
  const inside = posix.startsWith(root) ? posix.slice(root.length) : posix.replace(/^(?:\.\/)+/, '')
  if (inside === '' || isAbsolute(inside) || inside.split(/[/{},]/).includes('..')) {
    throw new EnvironmentFailure(
      'EINVAL',
      `The pattern ${pattern} leads out of ${folder}; name the folder to start in as the path (EINVAL).`,
    )
  }
  return inside
}

/** A view of the file system without what searches leave out, so that those folders are never even entered. */
function searchedOnly(root: string): FileSystemAdapter {
  const known = new Map<string, FolderRules>()
  const rulesFor = (folder: string): FolderRules => {
    const found =
      known.get(folder) ??
      (folder === root ? rulesOf(root) : rulesFor(resolve(folder, '..')).enter(relative(resolve(folder, '..'), folder)))
    known.set(folder, found)
    return found
  }
  // A plain beginning of a pattern is entered unlisted: it may be a link (C9).
  const plain = new Set([resolve(root)])
  const isBehindLink = (folder: string): boolean => {
    if (plain.has(folder)) return false
    const parent = resolve(folder, '..')
    if (parent === folder || isBehindLink(parent) || lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) return true
    plain.add(folder)
    return false
  }
  type Callback = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void
  const filtered = (path: string, options: { readonly withFileTypes: true }, callback: Callback): void => {
    const folder = resolve(path)
    if (isBehindLink(folder)) return callback(null, [])
    readdir(path, options, (error, entries) => {
      if (error) return callback(error, [])
      const rules = rulesFor(folder)
      const searched = entries.filter((entry) => !entry.isSymbolicLink() && !rules.ignores(entry.name, entry.isDirectory()))
      for (const entry of searched) if (entry.isDirectory()) plain.add(resolve(folder, entry.name))
      callback(null, searched)
    })
  }
  return { readdir: filtered as typeof readdir }
}

async function newestFirst(folder: string, found: readonly string[], signal: AbortSignal | undefined): Promise<readonly string[]> {
  const dated: { readonly path: string; readonly time: number }[] = []
  for (const [index, path] of found.entries()) {
    if (index % STATS_A_TURN === STATS_A_TURN - 1) {
      await nextTurn()
      signal?.throwIfAborted()
    }
    const stats = statSync(`${folder}/${path}`, { throwIfNoEntry: false, bigint: true })
    if (stats) dated.push({ path, time: Number(stats.mtimeNs) })
  }
  dated.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1))
  return dated.map(({ path }) => path)
}

import { lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf, EnvironmentFailure } from '../environment-failure.ts'
import { notOrdinaryOnWindows } from './windows-paths.ts'

/** As many links as Linux follows before it calls them a circle. */
const MAX_LINKS = 40

/** An absolute path without `.` and `..`; taken literally otherwise (`~` is a name like any other). `EINVAL` for a NUL or an empty path, and on Windows for what is no ordinary one. */
export function absolutePath(root: string, path: string): string {
  if (path === '') throw new EnvironmentFailure('EINVAL', 'The path is empty.')
  if (path.includes('\0')) throw new EnvironmentFailure('EINVAL', 'The path holds a NUL character.')
  const why = process.platform === 'win32' ? notOrdinaryOnWindows(root, path) : null
  if (why !== null) throw new EnvironmentFailure('EINVAL', `${path} ${why} (EINVAL).`)
  return resolve(root, path)
}

/**
 * Where a path really leads. Of what does not exist yet: the real path of the nearest ancestor that does, with the rest appended
 * (C9); a dangling link counts by where it points. `ELOOP` for links in a circle.
 */
export async function nearestRealPath(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  const parent = dirname(path)
  if (parent === path) return path
  const realParent = await nearestRealPath(parent, links)
  const here = join(realParent, basename(path))
  const target = await linkTarget(here)
  if (target === null) return here
  if (links >= MAX_LINKS) throw new EnvironmentFailure('ELOOP', `Could not resolve ${path}: its symbolic links form a loop (ELOOP).`)
  return nearestRealPath(resolve(realParent, target), links + 1)
}

async function linkTarget(path: string): Promise<string | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

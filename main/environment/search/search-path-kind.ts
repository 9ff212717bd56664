import { lstatSync } from 'node:fs'
import { access, constants, realpath, stat } from 'node:fs/promises'
import { isInside } from '../../is-inside.ts'
import { EnvironmentFailure, explained, orNull } from '../environment-failure.ts'

/** Rejects with a code and a message if `path` is not a folder that can be searched. */
export async function mustBeSearchFolder(path: string): Promise<void> {
  if ((await searchKind(path)) === 'file') throw new EnvironmentFailure('ENOTDIR', `${path} is not a folder to search in (ENOTDIR).`)
}

/** Whether a search is for a folder or for one file. Rejects if the path cannot be read, because that must not look like "no match". */
export async function searchKind(path: string): Promise<'folder' | 'file'> {
  try {
    const found = await stat(path)
    if (found.isDirectory() || found.isFile()) {
      await access(path, constants.R_OK)
      return found.isFile() ? 'file' : 'folder'
    }
  } catch (error) {
    throw explained(error, 'search', path)
  }
  throw new EnvironmentFailure('EINVAL', `${path} is neither a file nor a folder to search in (EINVAL).`)
}

/**
 * The real path of a place to search. If `isReal` is true, `path` was a real path when it was checked. In that case, rejects if it leads
 * elsewhere now.
 */
export async function realSearchPlace(path: string, isReal = false): Promise<string> {
  const real = await realpath(path)
  if (isReal && real !== path) throw new EnvironmentFailure('ECHANGED', `${path} leads to a different place now (ECHANGED).`)
  return real
}

/**
 * The outermost folder in which commands may have changed something: the root if the searched folder is in it, otherwise the folder itself.
 */
export async function topOf(root: string, folder: string): Promise<string> {
  const real = await realpath(root).catch(() => root)
  return isInside(real, folder) ? real : folder
}

/** Whether a regular file is at this path. A link to a file does not count. */
export const isRegularFile = (path: string): boolean => orNull(() => lstatSync(path, { throwIfNoEntry: false }))?.isFile() === true

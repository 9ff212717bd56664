import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { isInside } from '../is-inside.ts'

/**
 * Returns the real path of a folder, under which trust is stored. If there is no such folder, returns the given path, and opening it fails
 * later.
 */
export function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/** The real path of `path` if it exists and, after links are resolved, is in one of the folders. Null otherwise. */
export async function realPathInFolders(path: string, folders: readonly string[]): Promise<string | null> {
  const real = await realOrNull(path)
  if (real === null) return null
  for (const folder of folders) {
    const root = await realOrNull(folder)
    if (root !== null && isInside(root, real)) return real
  }
  return null
}

/** Whether `path` is a file and, after links are resolved, in one of the folders. */
export async function isFileInFolders(path: string, folders: readonly string[]): Promise<boolean> {
  const real = await realPathInFolders(path, folders)
  if (real === null) return false
  return stat(real).then(
    (found) => found.isFile(),
    () => false,
  )
}

async function realOrNull(path: string): Promise<string | null> {
  try {
    return isAbsolute(path) ? await realpath(path) : null
  } catch {
    return null
  }
}

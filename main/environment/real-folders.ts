import { realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { isInside } from '../is-inside.ts'

/** The real path of a folder, by which trust is stored; the given path if it does not exist, which opening it will report. */
export function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/** The real path of `path` if it exists and is in one of the folders after links are resolved; else null. */
export async function realPathInFolders(path: string, folders: readonly string[]): Promise<string | null> {
  const real = await realOrNull(path)
  if (real === null) return null
  for (const folder of folders) {
    const root = await realOrNull(folder)
    if (root !== null && isInside(root, real)) return real
  }
  return null
}

async function realOrNull(path: string): Promise<string | null> {
  try {
    return isAbsolute(path) ? await realpath(path) : null
  } catch {
    return null
  }
}

import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'

/** The real path of `path` if it exists and, links resolved, lies in one of the folders; else null. */
export async function inOpenFolder(path: string, folders: readonly string[]): Promise<string | null> {
  const real = await realOrNull(path)
  if (real === null) return null
  for (const folder of folders) {
    const root = await realOrNull(folder)
    if (root !== null && isWithin(root, real)) return real
  }
  return null
}

/** Compared by parts: `/ws-evil` does not lie in `/ws`. */
function isWithin(root: string, real: string): boolean {
  const way = relative(root, real)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

async function realOrNull(path: string): Promise<string | null> {
  try {
    return isAbsolute(path) ? await realpath(path) : null
  } catch {
    return null
  }
}

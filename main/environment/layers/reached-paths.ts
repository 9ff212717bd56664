import { lstatSync } from 'node:fs'
import { orNull } from '../environment-failure.ts'

/**
 * Returns a function that tells whether all folders above a relative path are real folders. Otherwise a link may lead anywhere, and nothing
 * at the path belongs to `root`. The function remembers folders, so make a new one each time.
 */
export function reachedFrom(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>([['', true]])
  const isFolder = (path: string): boolean => {
    const found = known.get(path)
    if (found !== undefined) return found
    const isThere = isFolder(parentOf(path)) && orNull(() => lstatSync(`${root}/${path}`))?.isDirectory() === true
    known.set(path, isThere)
    return isThere
  }
  return (path) => isFolder(parentOf(path))
}

/** The path of the folder that contains a relative path. Empty for the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

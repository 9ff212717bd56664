import { lstatSync } from 'node:fs'
import { orNull } from '../environment-failure.ts'

/**
 * Tells whether a relative path is reached from `root` through folders only. Behind a link or a file there is nothing of `root`: a link may
 * lead anywhere. Remembers the folders, so make a new one for each look.
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

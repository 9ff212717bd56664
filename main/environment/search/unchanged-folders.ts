import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { orNull } from '../environment-failure.ts'
import { isSettled } from '../comparison/read-folder.ts'

/**
 * A command may replace a folder with a link while a search runs, and the search then shows files of another place. Such a replacement
 * changes the change time of the parent folder, which no program can set. Returns whether none of the folders between `top` and a path has
 * changed since `start` (ms since 1970), and none is a link. If false, the path must be checked in another way. All paths are absolute, and
 * the paths to check are below `top`.
 */
export function unchangedFolders(top: string, start: number): (path: string) => boolean {
  const known = new Map<string, boolean>()
  const isUnchanged = (folder: string): boolean => {
    const found = known.get(folder)
    if (found !== undefined) return found
    const is = isOldFolder(folder, start) && (folder === top || (folder !== dirname(folder) && isUnchanged(dirname(folder))))
    known.set(folder, is)
    return is
  }
  return (path) => isUnchanged(dirname(path))
}

function isOldFolder(path: string, start: number): boolean {
  const found = orNull(() => lstatSync(path, { throwIfNoEntry: false }))
  return found?.isDirectory() === true && isSettled(found.ctimeMs, start)
}

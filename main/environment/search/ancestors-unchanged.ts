import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { orNull } from '../environment-failure.ts'
import { isSettled } from '../comparison/read-folder.ts'

/**
 * While a search runs, a command may replace a folder with a link, and the search would then show files from elsewhere. Replacing a folder
 * updates the ctime of its parent folder, and no program can set a ctime. Returns whether all folders between `top` and a path are real
 * folders that have not changed since `start` (ms since 1970). If false, the path must be checked in another way. All paths are absolute,
 * and the paths to check are below `top`.
 */
export function ancestorsUnchanged(top: string, start: number): (path: string) => boolean {
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

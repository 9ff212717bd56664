import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../environment-failure.ts'

/**
 * Makes a folder and those above it that are missing; what is there already stays. Rejects as `mkdir` does. Node's own `recursive` never
 * comes back from folders such as `/proc/1`, which answer that they are not there when something is to be made in them (Node 24.21), and
 * keeps one of its four threads for good.
 */
export async function makeFolders(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolders(dirname(folder))
    await makeFolder(folder)
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await isFolder(folder))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

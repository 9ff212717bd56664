import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Bytes of all files under a folder; 0 where there is none. Files that come and go meanwhile do not matter: the number only
 * has to grow while something is being fetched.
 * @param {string} folder
 * @returns {number}
 */
export function folderBytes(folder) {
  let bytes = 0
  for (const name of quietly(() => readdirSync(folder), [])) {
    const path = join(folder, name)
    const stat = quietly(() => lstatSync(path), null)
    if (stat?.isDirectory()) bytes += folderBytes(path)
    else bytes += stat?.size ?? 0
  }
  return bytes
}

/**
 * @template T
 * @param {() => T} read
 * @param {T} otherwise
 */
function quietly(read, otherwise) {
  try {
    return read()
  } catch {
    return otherwise
  }
}

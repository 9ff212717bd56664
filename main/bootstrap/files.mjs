import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The text of a file, '' if there is none.
 * @param {string} file
 */
export function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/**
 * Reads a JSON file that a tool of the bootstrap wrote. Null if it is missing or incomplete. The caller states its type.
 * @template T
 * @param {string} file
 * @returns {T | null}
 */
export function readJson(file) {
  try {
    return /** @type {T} */ (JSON.parse(readText(file)))
  } catch {
    return null
  }
}

/**
 * Total bytes of all files in a folder and below. 0 if it does not exist. Used to check the progress of a download, so files that appear or
 * disappear during the count do no harm.
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

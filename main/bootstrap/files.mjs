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
 * A JSON file that one of our tools wrote, null if it is missing or cut off. The caller states its type.
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
 * Bytes of all files in a folder and below; 0 if it does not exist. Used to see that a download makes progress, so files that appear or
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

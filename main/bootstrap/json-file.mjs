import { existsSync, readFileSync } from 'node:fs'

/**
 * A JSON file as written by a tool of ours, null where there is none or it is cut off. What it holds is the caller's claim.
 * @template T
 * @param {string} file
 * @returns {T | null}
 */
export function readJson(file) {
  if (!existsSync(file)) return null
  try {
    return /** @type {T} */ (JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { readJson } from './files.mjs'

/** How long, in ms, the files of an older build are kept for processes that were started from it: one week. */
const KEPT_MS = 7 * 24 * 3600 * 1000

/** A file in each built folder. It lists the files of the newest build and, for each older file, when it was replaced. */
const RECORD = '.build.json'

/** @typedef {{ readonly current: readonly string[], readonly old: Readonly<Record<string, number>> }} BuildRecord */

/**
 * Moves the files of a new build into the folder of the last one and removes `from`. The chunks of older builds are kept for a week (their names
 * contain hashes), so running processes still find them. Entries are moved last, so a start at any moment finds everything its entry imports.
 * @param {string} from
 * @param {string} to
 * @param {number} [now] ms since 1970
 */
export function putInPlace(from, to, now = Date.now()) {
  mkdirSync(to, { recursive: true })
  const before = readRecord(to)
  const files = filesBelow(from).sort((a, b) => depth(b) - depth(a))
  for (const file of files) if (!isSame(join(from, file), join(to, file))) move(join(from, file), join(to, file))
  rmSync(from, { recursive: true, force: true })
  const current = new Set(files)
  /** @type {Record<string, number>} */
  const old = {}
  for (const file of filesBelow(to)) {
    if (current.has(file) || file === RECORD) continue
    const since = before.old[file] ?? now
    if (now - since > KEPT_MS) rmSync(join(to, file), { force: true })
    else old[file] = since
  }
  writeFileSync(join(to, RECORD), JSON.stringify({ current: files, old }))
}

/**
 * Removes files of older builds, before the folder is packaged.
 * @param {string} folder
 */
export function removeOldFiles(folder) {
  const { current, old } = readRecord(folder)
  for (const file of Object.keys(old)) rmSync(join(folder, file), { force: true })
  if (current.length > 0) writeFileSync(join(folder, RECORD), JSON.stringify({ current, old: {} }))
}

/**
 * @param {string} folder
 * @returns {BuildRecord}
 */
function readRecord(folder) {
  return readJson(join(folder, RECORD)) ?? { current: [], old: {} }
}

/**
 * @param {string} from
 * @param {string} to
 */
function move(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}

/**
 * @param {string} one
 * @param {string} other
 */
function isSame(one, other) {
  return existsSync(other) && statSync(one).size === statSync(other).size && readFileSync(one).equals(readFileSync(other))
}

/**
 * Paths relative to the folder, with `/`.
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  const paths = readdirSync(folder, { recursive: true }).map(String)
  return paths.filter((path) => statSync(join(folder, path)).isFile()).map((path) => path.split(sep).join('/'))
}

/** @param {string} file */
const depth = (file) => file.split('/').length

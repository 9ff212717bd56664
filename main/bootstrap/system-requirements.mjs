import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The major version of Node that runs Countersign: it runs TypeScript directly, and better-sqlite3 crashes older versions. */
export const NODE_MAJOR = 24

/**
 * @typedef {object} Facts what the checks depend on
 * @property {string} nodeVersion as in `process.versions.node`
 * @property {string} platform
 * @property {string} arch
 * @property {readonly string[]} moduleFolders every `node_modules` folder that the entry would search, nearest first
 * @property {boolean} scriptsIgnored npm is configured with `ignore-scripts`
 */

/**
 * @typedef {object} Lack
 * @property {boolean} fatal false: Countersign runs, without this part
 * @property {string} words what is missing and what to do, in one or two sentences
 */

/** @param {string} nodeVersion */
export function nodeMajor(nodeVersion) {
  return Number(nodeVersion.replace(/^v/, '').split('.')[0])
}

/**
 * What prevents an entry from running. Empty if nothing does. Examines only files: loading a native module that does not fit
 * ends the process without a message.
 * @param {Facts} facts
 * @returns {Lack[]}
 */
export function lacks(facts) {
  const node = lackOfNode(facts)
  if (node) return [node]
  return [lackOfSqlite(facts), lackOfPty(facts)].filter((lack) => lack !== null)
}

/**
 * @param {Facts} facts
 * @returns {Lack | null}
 */
function lackOfNode({ nodeVersion, scriptsIgnored }) {
  if (nodeMajor(nodeVersion) >= NODE_MAJOR) return null
  const why = scriptsIgnored
    ? `npm's setting ignore-scripts prevented its installation: run "npm ci --ignore-scripts=false" in this folder, or install Node ${NODE_MAJOR} yourself.`
    : `Run "npm start" or "npm test" in this folder: they install it.`
  return {
    fatal: true,
    words: `Countersign runs on Node ${NODE_MAJOR}, which is installed as an npm package; this is Node ${nodeVersion}. ${why}`,
  }
}

/**
 * @param {Facts} facts
 * @returns {Lack | null}
 */
function lackOfSqlite({ moduleFolders, platform, arch }) {
  const home = packageFolder(moduleFolders, 'better-sqlite3')
  if (!home) return { fatal: true, words: 'The packages are not installed (better-sqlite3 is missing). Run "npm ci" in this folder.' }
  const built = [
    join(home, 'build', 'Release', 'better_sqlite3.node'),
    ...['', 'musl'].map((libc) => join(home, 'prebuilds', `${platform}${libc}-${arch}.node`)),
  ]
  if (built.some((file) => existsSync(file))) return null
  return {
    fatal: true,
    words: `The SQLite module has no binary for ${platform}-${arch}. Build it with "npm rebuild better-sqlite3 --build-from-source" (needs a C++ compiler, make and Python 3).`,
  }
}

/**
 * @param {Facts} facts
 * @returns {Lack | null}
 */
function lackOfPty(facts) {
  if (ptyBinary(facts)) return null
  const words = facts.scriptsIgnored
    ? `npm's setting ignore-scripts prevented the terminal module (node-pty) from being built, so there is no terminal: run "npm ci --ignore-scripts=false" in this folder.`
    : 'The terminal module (node-pty) is not built, so there is no terminal. "npm start" builds it (needs a C++ compiler, make and Python 3).'
  return { fatal: false, words }
}

/**
 * The binary of the terminal module, null if there is none.
 * @param {Pick<Facts, 'moduleFolders' | 'platform' | 'arch'>} facts
 * @returns {string | null}
 */
export function ptyBinary({ moduleFolders, platform, arch }) {
  const home = packageFolder(moduleFolders, 'node-pty')
  if (!home) return null
  const name = platform === 'win32' ? 'conpty.node' : 'pty.node'
  const places = [join(home, 'build', 'Release', name), join(home, 'prebuilds', `${platform}-${arch}`, name)]
  return places.find((file) => existsSync(file)) ?? null
}

/**
 * @param {readonly string[]} moduleFolders
 * @param {string} name
 */
function packageFolder(moduleFolders, name) {
  return moduleFolders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json'))) ?? null
}

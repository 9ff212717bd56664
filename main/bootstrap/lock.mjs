import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson } from './json-file.mjs'

/** Says for which lock file and machine `node_modules` was set up. npm does not know it and removes it with the folder. */
const STAMP = '.countersign-setup.json'

/** Optional, so that npm carries on where it cannot compile it; we can, and want it. All other optional ones belong to other platforms. */
const TERMINAL_MODULE = 'node_modules/node-pty'

/** @typedef {'absent' | 'stale' | 'fresh'} Freshness */

/**
 * Whether `node_modules` is what the lock file names: by our stamp, or, where npm was run by hand, by npm's own record.
 * @param {string} root
 * @returns {Freshness}
 */
export function freshness(root) {
  const modules = join(root, 'node_modules')
  if (!existsSync(join(modules, '.package-lock.json'))) return 'absent'
  if (readText(join(modules, STAMP)) === stampOf(root)) return 'fresh'
  if (!holdsWhatIsLocked(join(root, 'package-lock.json'), join(modules, '.package-lock.json'))) return 'stale'
  writeStamp(root)
  return 'fresh'
}

/** @param {string} root */
export function writeStamp(root) {
  writeFileSync(join(root, 'node_modules', STAMP), stampOf(root))
}

/** @param {string} root */
function stampOf(root) {
  const hash = createHash('sha256')
  for (const name of ['package.json', 'package-lock.json']) hash.update(readText(join(root, name)))
  return JSON.stringify({ lock: hash.digest('hex'), platform: process.platform, arch: process.arch })
}

/**
 * @typedef {{ readonly version?: string, readonly optional?: boolean }} LockedPackage
 * @param {string} lockFile
 * @param {string} hiddenLockFile
 */
function holdsWhatIsLocked(lockFile, hiddenLockFile) {
  const wanted = packagesOf(lockFile)
  const there = packagesOf(hiddenLockFile)
  if (!wanted || !there) return false
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    const found = there[path]
    if (path === '' || (optional && !found && path !== TERMINAL_MODULE)) return true
    return found?.version === version
  })
}

/** @param {string} file */
function packagesOf(file) {
  /** @type {{ readonly packages?: Readonly<Record<string, LockedPackage>> } | null} */
  const lock = readJson(file)
  return lock?.packages ?? null
}

/** @param {string} file */
function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

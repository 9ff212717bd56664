import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson } from './json-file.mjs'

/** Says for which lock file and machine `node_modules` was set up. npm does not know it and removes it with the folder. */
const STAMP = '.countersign-setup.json'

/** Optional, so that npm carries on where it cannot compile it; we can, and want it. */
const TERMINAL_MODULE = 'node_modules/node-pty'

/** There while packages are being changed in place: what an interrupted change leaves behind is not to be trusted. */
const UNFINISHED = '.countersign-unfinished'

/** @typedef {'absent' | 'stale' | 'fresh'} Freshness */

/**
 * Whether `node_modules` is what the lock file names: by our stamp, or, where npm was run by hand, by npm's own record.
 * @param {string} root
 * @returns {Freshness}
 */
export function freshness(root) {
  const modules = join(root, 'node_modules')
  if (!existsSync(join(modules, '.package-lock.json')) || existsSync(join(modules, UNFINISHED))) return 'absent'
  if (readText(join(modules, STAMP)) === stampOf(root)) return 'fresh'
  if (!holdsWhatIsLocked(join(root, 'package-lock.json'), join(modules, '.package-lock.json'))) return 'stale'
  writeStamp(root)
  return 'fresh'
}

/**
 * Runs a change of packages that are in place; interrupted, it makes them count as absent.
 * @template T
 * @param {string} root
 * @param {() => Promise<T>} change
 * @returns {Promise<T>}
 */
export async function changingPackages(root, change) {
  const mark = join(root, 'node_modules', UNFINISHED)
  writeFileSync(mark, '')
  const outcome = await change()
  rmSync(mark, { force: true })
  return outcome
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
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {readonly string[]} [os]
 * @property {readonly string[]} [cpu]
 * @property {readonly string[]} [libc]
 *
 * @param {string} lockFile
 * @param {string} hiddenLockFile
 */
function holdsWhatIsLocked(lockFile, hiddenLockFile) {
  const wanted = packagesOf(lockFile)
  const there = packagesOf(hiddenLockFile)
  if (!wanted || !there) return false
  return Object.entries(wanted).every(([path, entry]) => {
    const found = there[path]
    if (path === '' || (!found && mayBeMissing(path, entry))) return true
    return found?.version === entry.version
  })
}

/**
 * Optional packages are made for one platform each, or belong to those. One that is made for ours and missing was left out
 * because its makers do not name the Node that ran npm; the tools do not run without it.
 * @param {string} path
 * @param {LockedPackage} entry
 */
function mayBeMissing(path, { optional, os, cpu, libc }) {
  if (!optional || path === TERMINAL_MODULE) return false
  if (!os && !cpu) return true
  const suits = (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch)) && (!libc || libc.includes(ownLibc()))
  return !suits
}

function ownLibc() {
  return readText('/usr/bin/ldd').includes('musl') ? 'musl' : 'glibc'
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

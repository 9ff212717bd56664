import { createHash } from 'node:crypto'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, readText } from '../files.mjs'

/** File in `node_modules` that records the lock file and the machine for which the packages were installed. */
const STAMP = '.countersign-setup.json'

/** An optional dependency, so that npm continues if it cannot compile the module. The setup requires it anyway. */
const TERMINAL_MODULE = 'node_modules/node-pty'

/** Exists while packages are being changed: if the change is interrupted, everything is installed again. */
const UNFINISHED = '.countersign-unfinished'

/** npm's own record of what it installed. */
const NPM_RECORD = '.package-lock.json'

/** @typedef {'absent' | 'stale' | 'fresh'} Freshness */

/**
 * Whether `node_modules` contains what the lock file lists. Records are not enough: somebody may have run another version's
 * `npm install` since, or clones may share files by hard links, so the direct dependencies are checked too.
 * @param {string} root
 * @returns {Freshness}
 */
export function freshness(root) {
  const modules = join(root, 'node_modules')
  if (!existsSync(join(modules, NPM_RECORD)) || existsSync(join(modules, UNFINISHED))) return 'absent'
  if (outdatedPackages(root).length > 0) return 'stale'
  if (readText(join(modules, STAMP)) === stampOf(root)) return 'fresh'
  if (!holdsWhatIsLocked(join(root, 'package-lock.json'), join(modules, NPM_RECORD))) return 'stale'
  writeStamp(root)
  return 'fresh'
}

/**
 * The names of direct dependencies that are missing or differ from the locked version. An optional dependency that npm could not
 * compile is not counted.
 * @param {string} root
 * @returns {string[]}
 */
export function outdatedPackages(root) {
  /** @type {{ readonly dependencies?: Record<string, string>, readonly devDependencies?: Record<string, string> } | null} */
  const manifest = readJson(join(root, 'package.json'))
  const locked = packagesOf(join(root, 'package-lock.json'))
  return Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies }).filter((name) => {
    const wanted = locked?.[`node_modules/${name}`]?.version
    /** @type {{ readonly version?: string } | null} */
    const installed = readJson(join(root, 'node_modules', name, 'package.json'))
    return installed === null || (wanted !== undefined && installed.version !== wanted)
  })
}

/**
 * How far npm has come, in words. At first, npm downloads for about ten seconds without unpacking anything.
 * @param {string} root
 */
export function unpackedPackages(root) {
  const locked = Object.entries(packagesOf(join(root, 'package-lock.json')) ?? {})
  const wanted = locked.filter(([path, entry]) => path.startsWith('node_modules/') && !mayBeMissing(path, entry))
  const unpacked = wanted.filter(([path]) => existsSync(join(root, path, 'package.json'))).length
  return unpacked === 0 ? 'npm is downloading, nothing is unpacked yet' : `${unpacked} of ${wanted.length} packages unpacked`
}

/**
 * Runs a change of installed packages. If it is interrupted, the packages count as absent.
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
  const stamp = join(root, 'node_modules', STAMP)
  // The stamp is renamed into place, because writing into the existing file would change it in every clone that shares it by a hard link.
  writeFileSync(`${stamp}.${process.pid}`, stampOf(root))
  renameSync(`${stamp}.${process.pid}`, stamp)
}

/** @param {string} root */
function stampOf(root) {
  const hash = createHash('sha256')
  for (const name of ['package.json', 'package-lock.json', join('node_modules', NPM_RECORD)]) hash.update(readText(join(root, name)))
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
 * Optional packages are compiled for one platform each, or are needed by those. If one for this platform is missing, npm left it out
 * because it does not name the version of Node that ran npm; the tools do not run without it.
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

import { join } from 'node:path'
import { changingPackages, freshness, outdatedPackages, unpackedPackages, writeStamp } from './installed-packages.mjs'
import { lastWords, npm } from './npm.mjs'
import { runtimeNode } from '../places.mjs'
import { lacks, NODE_MAJOR, ptyBinary } from '../system-requirements.mjs'
import { say, withProgress } from '../say.mjs'
import { buildTerminalModule, headersFolder } from './terminal-module.mjs'

/** The setup failed. The message is for the user. */
export class SetupFailure extends Error {}

/**
 * Makes a clone ready to run: installs the packages of package-lock.json, the Node that Countersign runs on and the terminal module.
 * Does nothing if all of it is installed. Only the packages `node` and `node-pty` run an install script.
 * @param {string} root
 * @returns {Promise<string>} the Node to run everything else with
 * @throws {SetupFailure}
 */
export async function setUp(root) {
  const before = freshness(root)
  if (before === 'absent') await installPackages(root)
  if (!runtimeNode(root)) await installNode(root)
  const runtime = runtimeNode(root)
  if (runtime && freshness(root) !== 'fresh') await updatePackages(root, runtime, before === 'stale')
  if (runtime && !ptyBinary(machine(root, false))) await installTerminalModule(root)
  const missing = await whatIsMissing(root, runtime)
  const words = missing.map((lack) => lack.words).join('\n')
  if (!runtime || missing.some(({ fatal }) => fatal)) throw new SetupFailure(words)
  if (words !== '') say(words)
  if (before !== 'fresh') writeStamp(root)
  return runtime
}

/** @param {string} root */
async function installPackages(root) {
  const ending = await withProgress(
    'Installing packages',
    () => unpackedPackages(root),
    () => npm(root, ['ci', '--ignore-scripts']),
  )
  if (ending.kind === 'failed') throw new SetupFailure(explained('npm could not install the packages', ending))
}

/**
 * Installs the packages of package-lock.json without changing that file (other versions of npm would write it differently). npm is run
 * by the Node that will use the packages: it leaves out compiled packages that do not name the version of Node that runs npm.
 * @param {string} root
 * @param {string} runtime
 * @param {boolean} changed the packages were complete before package-lock.json changed
 */
async function updatePackages(root, runtime, changed) {
  const update = () => npm(root, ['install', '--no-save', '--ignore-scripts'], { by: runtime })
  const ending = await withProgress(
    changed ? 'The installed packages are not those in package-lock.json: updating them' : 'Installing the remaining packages',
    () => '',
    () => changingPackages(root, update),
  )
  if (ending.kind === 'failed') throw new SetupFailure(explained('npm could not update the packages', ending))
  const left = outdatedPackages(root)
  if (left.length > 0)
    throw new SetupFailure(`npm reported success but did not install ${left.join(', ')} as locked. Run "npm ci" in this folder.`)
}

/**
 * @param {string} what
 * @param {{ readonly why: string, readonly noise: string }} failure
 */
function explained(what, { why, noise }) {
  return `${lastWords(noise)}\n${what} (${why}); the end of its output is above.`
}

/** @param {string} root */
async function installNode(root) {
  const ending = await withProgress(
    'Installing the version of Node that Countersign runs on',
    () => '',
    () => npm(root, ['rebuild', 'node']),
  )
  if (ending.kind === 'failed') throw new SetupFailure(explained('npm could not install the package "node"', ending))
}

/**
 * The package `node` contains C headers, so it is installed first if this machine has none.
 * @param {string} root
 */
async function installTerminalModule(root) {
  if (!headersFolder(root, process.execPath)) await installNode(root)
  await buildTerminalModule(root)
}

/**
 * Reading a setting from npm takes a third of a second, so npm is asked only if something is missing.
 * @param {string} root
 * @param {string | null} runtime
 */
async function whatIsMissing(root, runtime) {
  const nodeVersion = runtime ? `${NODE_MAJOR}.0.0` : process.versions.node
  const missing = lacks({ nodeVersion, ...machine(root, false) })
  return missing.length === 0 ? missing : lacks({ nodeVersion, ...machine(root, await scriptsIgnored(root)) })
}

/**
 * @param {string} root
 * @param {boolean} ignored
 */
function machine(root, ignored) {
  return { moduleFolders: [join(root, 'node_modules')], platform: process.platform, arch: process.arch, scriptsIgnored: ignored }
}

/** @param {string} root */
async function scriptsIgnored(root) {
  if (process.env.npm_config_ignore_scripts === 'true') return true
  const ending = await npm(root, ['config', 'get', 'ignore-scripts'])
  return ending.kind === 'done' && ending.noise.trim() === 'true'
}

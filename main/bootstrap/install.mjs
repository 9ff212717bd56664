import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { headersFolder, withPlainName } from './headers.mjs'
import { changingPackages, freshness, writeStamp } from './lock.mjs'
import { lastWords, npm } from './npm.mjs'
import { runtimeNode } from './places.mjs'
import { lacks, NODE_MAJOR, ptyBinary } from './requirements.mjs'
import { say, withProgress } from './say.mjs'

/** What cannot be mended here; the words are for the user. */
export class SetupFailure extends Error {}

/**
 * Makes a clone ready to run: packages as locked, the Node that the project brings along, the terminal module. Does nothing
 * where all is in place. Only the two packages named here run an install script.
 * @param {string} root
 * @returns {Promise<string>} the Node to hand over to
 * @throws {SetupFailure}
 */
export async function setUp(root) {
  const before = freshness(root)
  if (before === 'absent') await installPackages(root)
  if (!runtimeNode(root)) await bringNode(root)
  const runtime = runtimeNode(root)
  if (runtime && freshness(root) !== 'fresh') await completePackages(root, runtime)
  if (runtime && !ptyBinary(machine(root, false))) await buildTerminalModule(root)
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
    () => `${countPackages(root)} in place`,
    () => npm(root, ['ci', '--ignore-scripts']),
  )
  if (ending.kind === 'failed') throw new SetupFailure(explained('npm could not install the packages', ending))
}

/**
 * Brings packages up to the lock file without touching it (other versions of npm would write it differently), by the Node
 * that they are for: npm leaves out compiled packages whose makers do not name the Node that runs npm.
 * @param {string} root
 * @param {string} runtime
 */
async function completePackages(root, runtime) {
  const update = () => npm(root, ['install', '--no-save', '--ignore-scripts'], { by: runtime })
  const ending = await withProgress(
    'Bringing packages up to date',
    () => '',
    () => changingPackages(root, update),
  )
  if (ending.kind === 'failed') throw new SetupFailure(explained('npm could not bring the packages up to date', ending))
}

/**
 * @param {string} what
 * @param {{ readonly why: string, readonly noise: string }} failure
 */
function explained(what, { why, noise }) {
  return `${lastWords(noise)}\n${what} (${why}); its last words are above.`
}

/** @param {string} root */
async function bringNode(root) {
  const ending = await withProgress(
    'Fetching the Node that Countersign runs on',
    () => '',
    () => npm(root, ['rebuild', 'node']),
  )
  if (ending.kind === 'failed') throw new SetupFailure(explained('npm could not set up its package "node"', ending))
}

/**
 * Without it Countersign still runs, only without a terminal, so a failure is told and not fatal.
 * @param {string} root
 */
async function buildTerminalModule(root) {
  if (!headersFolder(root, process.execPath)) await bringNode(root)
  const headers = headersFolder(root, process.execPath)
  if (!headers) say("No C headers of Node on this machine: node-gyp will try to fetch them from Node's own site.")
  const compile = /** @param {NodeJS.ProcessEnv} env */ (env) => npm(root, ['rebuild', 'node-pty'], { env })
  const ending = await withProgress(
    'Building the terminal module',
    () => '',
    () => (headers ? withPlainName(headers, (name) => compile({ npm_config_nodedir: name })) : compile({})),
  )
  if (ending.kind === 'failed') console.error(lastWords(ending.noise))
}

/**
 * Asking npm for its settings costs a third of a second, so it is asked only where something is missing.
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

/** @param {string} root */
function countPackages(root) {
  const modules = join(root, 'node_modules')
  const folders = namesIn(modules).flatMap((name) =>
    name.startsWith('@') ? namesIn(join(modules, name)).map((own) => join(name, own)) : [name],
  )
  return `${folders.filter((folder) => existsSync(join(modules, folder, 'package.json'))).length} packages`
}

/** @param {string} folder */
function namesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : []
}

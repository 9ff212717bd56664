import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { headersFolder } from './headers.mjs'
import { freshness, writeStamp } from './lock.mjs'
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
  if (before !== 'fresh') await installPackages(root, before)
  if (!runtimeNode(root)) await bringNode(root)
  const runtime = runtimeNode(root)
  if (!ptyBinary(machine(root, false))) await buildTerminalModule(root)
  const missing = await whatIsMissing(root, runtime)
  const words = missing.map((lack) => lack.words).join('\n')
  if (!runtime || missing.some(({ fatal }) => fatal)) throw new SetupFailure(words)
  if (words !== '') say(words)
  if (before !== 'fresh') writeStamp(root)
  return runtime
}

/**
 * @param {string} root
 * @param {'absent' | 'stale'} before
 */
async function installPackages(root, before) {
  const what = before === 'absent' ? 'Installing packages' : 'Packages have changed: updating them'
  const args = before === 'absent' ? ['ci', '--ignore-scripts'] : ['install', '--no-save', '--ignore-scripts']
  const ending = await withProgress(
    what,
    () => `${countPackages(root)} in place`,
    () => npm(root, args),
  )
  if (ending.kind === 'failed')
    throw new SetupFailure(`${lastWords(ending.noise)}\nnpm could not install the packages (${ending.why}); its last words are above.`)
}

/** @param {string} root */
async function bringNode(root) {
  const ending = await withProgress(
    'Fetching the Node that Countersign runs on',
    () => '',
    () => npm(root, ['rebuild', 'node']),
  )
  if (ending.kind === 'failed')
    throw new SetupFailure(`${lastWords(ending.noise)}\nnpm could not set up its package "node" (${ending.why}); its last words are above.`)
}

/**
 * Without it Countersign still runs, only without a terminal, so a failure is told and not fatal.
 * @param {string} root
 */
async function buildTerminalModule(root) {
  const headers = headersFolder(root, process.execPath)
  if (!headers) say("No C headers of Node on this machine: node-gyp will try to fetch them from Node's own site.")
  const env = headers ? { npm_config_nodedir: headers } : {}
  const ending = await withProgress(
    'Building the terminal module',
    () => '',
    () => npm(root, ['rebuild', 'node-pty'], env),
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

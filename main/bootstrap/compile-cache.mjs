import { homedir } from 'node:os'
import { join } from 'node:path'
import nodeModule from 'node:module'

/**
 * Keeps compiled code between starts, in a folder of this user: in Node's default, the shared temp folder, other users could
 * plant code. Does nothing on versions of Node without such a cache, which must get far enough to report that they are too old.
 */
export function keepCompiled() {
  // The cache is found by the path of the code, and an AppImage is mounted in another place each time: it would only grow.
  if (process.env.APPIMAGE !== undefined) return
  if (process.env.NODE_COMPILE_CACHE !== undefined || process.env.NODE_DISABLE_COMPILE_CACHE !== undefined) return
  nodeModule.enableCompileCache?.(compileCacheFolder(process.platform, process.env, homedir()))
}

/**
 * @param {string} platform
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {string} home
 */
export function compileCacheFolder(platform, env, home) {
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'Countersign', 'code')
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Countersign', 'code')
  return join(env.XDG_CACHE_HOME || join(home, '.cache'), 'countersign', 'code')
}

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The Node that can run the sample's tests. */
export interface NodeForTests {
  /** Path of the program. */
  readonly execPath: string
  /** Whether the program is Electron, which runs as Node only with ELECTRON_RUN_AS_NODE. */
  readonly isElectron: boolean
  readonly platform: NodeJS.Platform
}

/**
 * Returns the program of this process if it can run as Node. Electron can do so only on Windows, because the fuse `RunAsNode` is off
 * elsewhere. Elsewhere, a `node` on `PATH` is used; null if there is none.
 */
export function nodeForTests(
  running: NodeForTests = {
    execPath: process.execPath,
    isElectron: process.versions['electron'] !== undefined,
    platform: process.platform,
  },
  path = process.env['PATH'] ?? '',
): NodeForTests | null {
  if (!running.isElectron || running.platform === 'win32') return running
  const execPath = path
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find(isExecutable)
  return execPath === undefined ? null : { ...running, execPath, isElectron: false }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

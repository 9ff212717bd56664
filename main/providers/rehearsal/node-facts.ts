import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The Node that can run the sample's tests. */
export interface NodeFacts {
  /** Path of the program. */
  readonly execPath: string
  /** It is Electron, which is a Node only when told so. */
  readonly isElectron: boolean
  readonly platform: NodeJS.Platform
}

/**
 * The program that runs us, where it can run as Node: a packaged Electron can on Windows only, since the right to do so is switched off
 * elsewhere. There a Node of the person's on `PATH` is taken; null: there is none.
 */
export function nodeFacts(
  running: NodeFacts = { execPath: process.execPath, isElectron: process.versions['electron'] !== undefined, platform: process.platform },
  path = process.env['PATH'] ?? '',
): NodeFacts | null {
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

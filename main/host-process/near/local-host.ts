import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { cleanVariables } from '../../environment/clean-variables.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { ownProgram } from '../../environment/own-programs/own-programs.ts'
import { buildHash } from '../build-hash.ts'
import { hostProgramFile } from '../host-program-file.ts'
import type { HostChild } from './host-child.ts'

/** How a host process of this build is started on this machine. */
export interface LocalHost {
  /** Absolute paths: Node and the host process's file. A program that makes another view of the files may come before them. */
  readonly argv: readonly [string, ...string[]]
  /** Variables that Node needs in addition to the others. */
  readonly env: Readonly<Record<string, string>>
  /** For `HostStart.build`. */
  readonly build: string
}

/**
 * Rejects with `ENOENT` if this machine has no Node: a packaged app cannot run as Node, except on Windows, so it needs one of the system.
 * Rejects with `ECHANGED` if the host process's file was changed since the installation.
 */
export async function localHost(): Promise<LocalHost> {
  const file = hostProgramFile()
  const isElectron = process.versions['electron'] !== undefined
  const runsAsNode = !isElectron || process.platform === 'win32'
  const node = runsAsNode ? process.execPath : ownProgram('node')
  if (node === null)
    throw new EnvironmentFailure('ENOENT', 'A host process needs Node, and no program “node” was found (ENOENT). Install Node.')
  return {
    argv: [node, fileURLToPath(file)],
    env: isElectron && runsAsNode ? { ELECTRON_RUN_AS_NODE: '1' } : {},
    build: await buildHash(file),
  }
}

/**
 * Starts a program that is, or leads to, a host process. It gets the variables of this process, without those that belong to the app
 * itself, and a process group of its own, so that a Ctrl+C in the app's terminal reaches only the app.
 */
export function startHostProgram([file, ...args]: readonly [string, ...string[]], env: Readonly<Record<string, string>>): HostChild {
  const isWindows = process.platform === 'win32'
  return spawn(file, args, { stdio: 'pipe', detached: !isWindows, windowsHide: true, env: { ...cleanVariables(process.env), ...env } })
}

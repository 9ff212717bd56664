import type * as ports from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { ExecutionEnvironment, HostEnvironment, RawAccess } from './environment-types.ts'
import { hostEnvironment, specifiedEnvironment } from './specified-environment.ts'

/** Returns the same environment for an agent that may only read: every write and every command rejects with code `EROFS`. */
export function readOnlyEnvironment(env: HostEnvironment): ExecutionEnvironment & RawAccess {
  return specifiedEnvironment(readOnly(hostEnvironment(env)))
}

/**
 * An environment that only reads. Every write rejects with `EROFS`, and so does every command, because its effects cannot be known.
 * `spawn` still works: Countersign's own code uses it to run ripgrep and git, and a model cannot reach it.
 */
export function readOnly(env: ports.ExecutionEnvironment): ports.ExecutionEnvironment {
  const refuse = (doing: string) => (): Promise<never> =>
    Promise.reject(new EnvironmentFailure('EROFS', `Not done: ${doing} is not possible in read-only mode (EROFS).`))
  return {
    ...env,
    writeFile: refuse('writing a file'),
    writeBytes: refuse('writing a file'),
    deleteFile: refuse('deleting a file'),
    symlink: refuse('making a link'),
    rename: refuse('renaming'),
    setMode: refuse('changing a mode'),
    createFolder: refuse('creating a folder'),
    removeFolder: refuse('deleting a folder'),
    execCommand: refuse('running a command'),
    openShell: refuse('running a command'),
    open: refuse('running a program'),
  }
}

import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'

/**
 * The same environment for an agent that may only look (S-29): everything that writes, and every command, since nobody can tell
 * what one does, rejects with `EROFS`. `spawn` stays: by it our own code calls ripgrep and git, never a model.
 */
export function readOnly(env: ExecutionEnvironment): ExecutionEnvironment {
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
    execCommand: refuse('running a command'),
    openShell: refuse('running a command'),
  }
}

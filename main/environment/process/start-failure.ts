import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { codeOf, EnvironmentFailure, explained } from '../environment-failure.ts'

/** Catches failures that Node throws at the start (`E2BIG`, a NUL). Other failures are reported by an event. */
export function attempted<T>(start: () => T): Result<T, unknown> {
  try {
    return ok(start())
  } catch (error) {
    return failed(error)
  }
}

/** Why a program did not start. `ENOENT` means a missing folder or a missing program, so the folder is checked. */
export async function startFailure(error: unknown, file: string, cwd: string): Promise<unknown> {
  await mustBeFolder(cwd)
  // EACCES, too, can be about the folder or about the program.
  await access(cwd, constants.X_OK).catch((denied: unknown) => {
    throw explained(denied, 'run in', cwd)
  })
  const code = codeOf(error)
  if (code === 'ENOENT') return new EnvironmentFailure('ENOENT', `The program ${file} does not exist (ENOENT).`, error)
  if (code === 'E2BIG')
    return new EnvironmentFailure('E2BIG', 'The command line with its environment is too long for this system (E2BIG).', error)
  if (code === 'EAGAIN')
    return new EnvironmentFailure('EAGAIN', 'The system cannot start more processes (EAGAIN). Stop some and try again.', error)
  return explained(error, 'start', file)
}

/** Rejects with a coded failure if a command cannot run in `cwd`. */
export async function mustBeFolder(cwd: string): Promise<void> {
  try {
    if ((await stat(cwd)).isDirectory()) return
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new EnvironmentFailure('ENOENT', `The working folder ${cwd} does not exist (ENOENT).`, error)
    throw explained(error, 'run in', cwd)
  }
  throw new EnvironmentFailure('ENOTDIR', `The working folder ${cwd} is not a folder (ENOTDIR).`)
}

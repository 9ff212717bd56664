import { execFile } from 'node:child_process'
import { EnvironmentFailure } from '../environment-failure.ts'
import { ownFolders, ownProgram } from './own-programs.ts'

export interface OwnRun {
  readonly cwd: string
  readonly input?: string
  /** Variables in addition to PATH, LC_ALL and SHLVL. The program gets no others. */
  readonly variables?: Readonly<Record<string, string>>
  /** Maximum number of bytes of output. If there are more, the program is ended and the run has failed. */
  readonly maxBytes?: number
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface OwnEnd {
  /** Null if the program ended with 0. */
  readonly failure: Error | null
  /** Null if the program did not start or was ended by a signal. */
  readonly exitCode: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

/**
 * Runs a program that Countersign itself needs, outside the sandbox and without a shell. The program and what it starts are never those of
 * a project. Never rejects: the result says whether the run failed. A program that is missing has the code `ENOENT`.
 */
export function runOwnProgram(name: string, args: readonly string[], run: OwnRun): Promise<OwnEnd> {
  const file = ownProgram(name)
  const none = { exitCode: null, stdout: Buffer.alloc(0), stderr: '' }
  if (file === null)
    return Promise.resolve({ ...none, failure: new EnvironmentFailure('ENOENT', `The program ${name} was not found (ENOENT).`) })
  const { promise, resolve } = Promise.withResolvers<OwnEnd>()
  const child = execFile(
    file,
    [...args],
    {
      cwd: run.cwd,
      // Without SHLVL, bash would mistake the pipe for a connection from another machine and run the user's `.bashrc`.
      env: { PATH: ownFolders(), LC_ALL: 'C', SHLVL: '1', ...run.variables },
      maxBuffer: run.maxBytes ?? 1024 ** 2,
      timeout: run.timeoutMs ?? 0,
      encoding: 'buffer',
      ...(run.signal && { signal: run.signal }),
    },
    (failure, stdout, stderr) => {
      const exitCode = failure === null ? 0 : typeof failure.code === 'number' ? failure.code : null
      resolve({ failure, exitCode, stdout, stderr: stderr.toString('utf8') })
    },
  )
  // A program that failed has closed its end of the pipe.
  child.stdin?.on('error', () => {})
  child.stdin?.end(run.input)
  return promise
}

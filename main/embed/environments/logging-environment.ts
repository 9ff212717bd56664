import type * as ports from '../../agent/ports/execution-environment.ts'
import { codeOf } from '../../environment/environment-failure.ts'
import type { ExecutionEnvironment, HostEnvironment, RawAccess } from './environment-types.ts'
import { hostEnvironment } from './host-environment.ts'
import { publicEnvironment } from './public-environment.ts'

/**
 * Returns the same environment, except that `record` is called once per operation when the operation has finished. Results and failures
 * pass through unchanged.
 */
export function loggingEnvironment(env: HostEnvironment, record: (entry: OperationRecord) => void): ExecutionEnvironment & RawAccess {
  return publicEnvironment(logging(hostEnvironment(env), record))
}

/** One finished operation. It does not contain what was read, written or printed. */
export interface OperationRecord {
  readonly operation: string
  /** The path, pattern, command or program of the operation. */
  readonly subject: string
  readonly durationMs: number
  /** Null if the operation succeeded. */
  readonly failure: { readonly code: string | null; readonly message: string } | null
}

/**
 * Returns the same environment, except that `record` is called once per operation when the operation has finished. Results and failures
 * pass through unchanged.
 */
export function logging(env: ports.ExecutionEnvironment, record: (entry: OperationRecord) => void): ports.ExecutionEnvironment {
  /** Records one member's calls by name and first argument. */
  const observed = <A extends readonly unknown[], R>(operation: string, run: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      const begin = performance.now()
      const end = (failure: OperationRecord['failure']): void =>
        record({ operation, subject: subjectOf(args[0]), durationMs: Math.round(performance.now() - begin), failure })
      try {
        const result = await run(...args)
        end(null)
        return result
      } catch (error) {
        end({ code: codeOf(error), message: error instanceof Error ? error.message : String(error) })
        throw error
      }
    }
  }
  return {
    ...env,
    readFile: observed('readFile', env.readFile),
    writeFile: observed('writeFile', env.writeFile),
    deleteFile: observed('deleteFile', env.deleteFile),
    fileExists: observed('fileExists', env.fileExists),
    listDirectory: observed('listDirectory', env.listDirectory),
    execCommand: observed('execCommand', env.execCommand),
    async openShell(options) {
      const shell = await env.openShell(options)
      const run = observed('shell', (command: string, of?: ports.ShellExecOptions) => shell.run(command, of))
      return { run, workingDirectory: () => shell.workingDirectory(), isAlive: () => shell.isAlive(), close: () => shell.close() }
    },
    grep: observed('grep', env.grep),
    glob: observed('glob', env.glob),
    initialize: observed('initialize', env.initialize),
    cleanup: observed('cleanup', env.cleanup),
    readBytes: observed('readBytes', env.readBytes),
    writeBytes: observed('writeBytes', env.writeBytes),
    stat: observed('stat', env.stat),
    lstat: observed('lstat', env.lstat),
    realpath: observed('realpath', env.realpath),
    readlink: observed('readlink', env.readlink),
    symlink: observed('symlink', env.symlink),
    rename: observed('rename', env.rename),
    setMode: observed('setMode', env.setMode),
    createFolder: observed('createFolder', env.createFolder),
    removeFolder: observed('removeFolder', env.removeFolder),
    spawn: observed('spawn', env.spawn),
  }
}

function subjectOf(first: unknown): string {
  if (Array.isArray(first)) return first.join(' ')
  return typeof first === 'string' ? first : ''
}

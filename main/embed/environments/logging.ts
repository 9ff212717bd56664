import type { ExecutionEnvironment, ShellExecOptions } from '../../agent/ports/execution-environment.ts'
import { codeOf } from '../../environment/environment-failure.ts'

/** One finished operation. What was read, written or printed is not in it. */
export interface OperationRecord {
  readonly operation: string
  /** The path, pattern, command or program that it was about. */
  readonly subject: string
  readonly durationMs: number
  /** Null: it succeeded. */
  readonly failure: { readonly code: string | null; readonly message: string } | null
}

/** The same environment, telling of each operation when it has ended (S-29). Results and failures pass unchanged. */
export function logging(env: ExecutionEnvironment, record: (entry: OperationRecord) => void): ExecutionEnvironment {
  /** One member, recorded under its name with its first argument. */
  const told = <A extends readonly unknown[], R>(operation: string, run: (...args: A) => Promise<R>) => {
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
    readFile: told('readFile', env.readFile),
    writeFile: told('writeFile', env.writeFile),
    deleteFile: told('deleteFile', env.deleteFile),
    fileExists: told('fileExists', env.fileExists),
    listDirectory: told('listDirectory', env.listDirectory),
    execCommand: told('execCommand', env.execCommand),
    async openShell(options) {
      const shell = await env.openShell(options)
      const run = told('shell', (command: string, of?: ShellExecOptions) => shell.run(command, of))
      return { run, workingDirectory: () => shell.workingDirectory(), isAlive: () => shell.isAlive(), close: () => shell.close() }
    },
    grep: told('grep', env.grep),
    glob: told('glob', env.glob),
    initialize: told('initialize', env.initialize),
    cleanup: told('cleanup', env.cleanup),
    readBytes: told('readBytes', env.readBytes),
    writeBytes: told('writeBytes', env.writeBytes),
    stat: told('stat', env.stat),
    lstat: told('lstat', env.lstat),
    realpath: told('realpath', env.realpath),
    readlink: told('readlink', env.readlink),
    symlink: told('symlink', env.symlink),
    rename: told('rename', env.rename),
    setMode: told('setMode', env.setMode),
    spawn: told('spawn', env.spawn),
  }
}

function subjectOf(first: unknown): string {
  if (Array.isArray(first)) return first.join(' ')
  return typeof first === 'string' ? first : ''
}

import type * as ports from '../../agent/ports/execution-environment.ts'
import { codeOf } from '../../environment/environment-failure.ts'
import { type ExecutionEnvironment, type HostEnvironment, RAW_MEMBERS, type RawAccess, SAME_MEMBERS } from './environment-types.ts'
import { hostEnvironment, specifiedEnvironment } from './specified-environment.ts'

/**
 * Returns the same environment, except that `record` is called once per operation when the operation has finished. Results and failures
 * pass through unchanged.
 */
export function loggingEnvironment(env: HostEnvironment, record: (entry: OperationRecord) => void): ExecutionEnvironment & RawAccess {
  return specifiedEnvironment(logging(hostEnvironment(env), record))
}

const OPERATIONS = [...SAME_MEMBERS, ...RAW_MEMBERS, 'listDirectory', 'execCommand', 'grep', 'glob'].filter(
  (name) => !['workingDirectory', 'platform', 'osVersion', 'openShell'].includes(name),
) as readonly (keyof ports.ExecutionEnvironment)[]

/** One finished operation. It does not contain what was read, written or printed. */
export interface OperationRecord {
  readonly operation: string
  /** The path, pattern, command or program of the operation. */
  readonly subject: string
  readonly durationMs: number
  /** Null if the operation succeeded. */
  readonly failure: { readonly code: string | null; readonly message: string } | null
}

/** `loggingEnvironment` for an environment of Countersign. */
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
  const recorded = OPERATIONS.map((name) => [name, observed(name, env[name] as (...args: readonly unknown[]) => Promise<unknown>)])
  return {
    ...env,
    ...(Object.fromEntries(recorded) as Pick<ports.ExecutionEnvironment, (typeof OPERATIONS)[number]>),
    async openShell(options) {
      const shell = await env.openShell(options)
      const run = observed('shell', (command: string, of?: ports.ShellExecOptions) => shell.run(command, of))
      const { ended } = shell
      return { run, ended, workingDirectory: () => shell.workingDirectory(), isAlive: () => shell.isAlive(), close: () => shell.close() }
    },
  }
}

function subjectOf(first: unknown): string {
  if (Array.isArray(first)) return first.join(' ')
  return typeof first === 'string' ? first : ''
}

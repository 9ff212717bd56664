import type * as ports from '../../agent/ports/execution-environment.ts'

export interface ExecResult {
  readonly stdout: string
  readonly stderr: string
  /** Of a command that a signal ended: 128 and the number of the signal, as shells say it. */
  readonly exitCode: number
  readonly timedOut: boolean
  readonly durationMs: number
}

export interface DirEntry {
  readonly name: string
  readonly isDir: boolean
  /** Bytes; null for folders. */
  readonly size: number | null
}

export interface GrepOptions {
  readonly caseSensitive?: boolean
  /** In all, not per file. */
  readonly maxResults?: number
  readonly includePattern?: string
  readonly contextLines?: number
}

export type EnvVarPolicy = 'inherit_all' | 'inherit_core' | 'inherit_none'

/** The one parameter of `execCommand` that the seed does not have. An environment may ignore it. */
export interface ExecExtras {
  /** Ends the command with everything that it started. */
  readonly signal?: AbortSignal
  /** Told what the command prints, as it comes. */
  readonly onOutput?: (chunk: { readonly stream: 'stdout' | 'stderr'; readonly text: string }) => void
}

/** Where an agent works: a folder with its files, commands and searches. Relative paths count from `workingDirectory()`. */
export interface ExecutionEnvironment {
  /** Lines with their numbers. `offset` is a 0-based line index, `limit` a count of lines. Never write the result back. */
  readonly readFile: (path: string, offset?: number, limit?: number) => Promise<string>
  readonly writeFile: (path: string, content: string) => Promise<void>
  readonly deleteFile: (path: string) => Promise<void>
  readonly fileExists: (path: string) => Promise<boolean>
  readonly listDirectory: (path: string, depth?: number) => Promise<ReadonlyArray<DirEntry>>
  readonly execCommand: (
    command: string,
    timeoutMs?: number,
    workingDir?: string,
    envVars?: Readonly<Record<string, string>>,
    extras?: ExecExtras,
  ) => Promise<ExecResult>
  /** `path:line:text` for each match; empty when nothing matches. */
  readonly grep: (pattern: string, path: string, options?: GrepOptions) => Promise<string>
  /** Paths relative to `path`. */
  readonly glob: (pattern: string, path: string) => Promise<ReadonlyArray<string>>
  readonly initialize: () => Promise<void>
  readonly cleanup: () => Promise<void>
  readonly workingDirectory: () => string
  readonly platform: () => string
  readonly osVersion: () => string
}

/** Members by which the built-in tools read and write exact bytes. An environment that has them is faster and need not be POSIX. */
export type RawAccess = Pick<
  ports.ExecutionEnvironment,
  'readBytes' | 'writeBytes' | 'stat' | 'lstat' | 'realpath' | 'readlink' | 'symlink' | 'rename' | 'setMode' | 'spawn' | 'openShell'
>

/** What a host may bring: the seed's members, and as many of the others as it has. The rest is done with POSIX commands. */
export type HostEnvironment = ExecutionEnvironment & Partial<RawAccess>

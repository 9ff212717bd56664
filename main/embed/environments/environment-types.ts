import type * as ports from '../../agent/ports/execution-environment.ts'

export interface ExecResult {
  readonly stdout: string
  readonly stderr: string
  /** The exit code. If a signal killed the command, it is 128 plus the signal's number, as in shells. */
  readonly exitCode: number
  readonly timedOut: boolean
  readonly durationMs: number
}

export interface DirEntry {
  readonly name: string
  readonly isDir: boolean
  /** Size in bytes. Null for folders. */
  readonly size: number | null
}

export interface GrepOptions {
  readonly caseSensitive?: boolean
  /** Maximum number of results in total, not per file. */
  readonly maxResults?: number
  readonly includePattern?: string
  readonly contextLines?: number
}

export type EnvVarPolicy = 'inherit_all' | 'inherit_core' | 'inherit_none'

/** An extra parameter of `execCommand` that is not in the specification. An environment may ignore it. */
export interface ExecExtras {
  /** Aborting the signal stops the command and everything that the command started. */
  readonly signal?: AbortSignal
  /** Called with the command's output as it arrives. */
  readonly onOutput?: (chunk: { readonly stream: 'stdout' | 'stderr'; readonly text: string }) => void
}

/**
 * The environment in which an agent works: a folder with its files, commands and searches. Paths are relative to `workingDirectory()`.
 */
export interface ExecutionEnvironment {
  /**
   * Returns numbered lines. `offset` is a 0-based line index, `limit` a number of lines. Never write the result to a file, because it
   * contains the line numbers.
   */
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
  /** Returns `path:line:text` per match. Empty if nothing matches. */
  readonly grep: (pattern: string, path: string, options?: GrepOptions) => Promise<string>
  /** Returns paths relative to `path`. */
  readonly glob: (pattern: string, path: string) => Promise<ReadonlyArray<string>>
  readonly initialize: () => Promise<void>
  readonly cleanup: () => Promise<void>
  readonly workingDirectory: () => string
  readonly platform: () => string
  readonly osVersion: () => string
}

/**
 * Members with which the built-in tools read and write exact bytes. An environment that has these members is faster and need not be
 * POSIX.
 */
export type RawAccess = Pick<
  ports.ExecutionEnvironment,
  | 'readBytes'
  | 'writeBytes'
  | 'stat'
  | 'lstat'
  | 'realpath'
  | 'readlink'
  | 'symlink'
  | 'rename'
  | 'setMode'
  | 'createFolder'
  | 'removeFolder'
  | 'spawn'
  | 'openShell'
>

/**
 * The environment of a host: the members that the specification defines, and any of `RawAccess`. Missing members are emulated with POSIX
 * commands.
 */
export type HostEnvironment = ExecutionEnvironment & Partial<RawAccess>

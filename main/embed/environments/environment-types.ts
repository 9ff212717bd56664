import type * as ports from '../../agent/ports/execution-environment.ts'

/** `exitCode`: if a signal killed the command, it is 128 plus the signal's number, as in shells. */
export type ExecResult = Pick<ports.ExecResult, 'stdout' | 'stderr' | 'timedOut' | 'durationMs'> & { readonly exitCode: number }

export type GrepOptions = Pick<ports.GrepOptions, 'caseSensitive' | 'maxResults' | 'includePattern' | 'contextLines'>

/**
 * An extra parameter of `execCommand` that is not in the specification: a signal that stops the command and everything it started, and a
 * listener for its output. An environment may ignore it.
 */
export type ExecExtras = Pick<ports.ExecOptions, 'signal' | 'onOutput'>

/** Members that mean the same to the specification and to Countersign. */
export const SAME_MEMBERS = [
  'readFile',
  'writeFile',
  'deleteFile',
  'fileExists',
  'initialize',
  'cleanup',
  'workingDirectory',
  'platform',
  'osVersion',
] as const satisfies readonly (keyof ports.ExecutionEnvironment)[]

/**
 * The environment in which an agent works: a folder with its files, commands and searches. Paths are relative to `workingDirectory()`.
 * `grep` returns `path:line:text` per match, or an empty text. `glob` returns paths relative to `path`.
 */
export interface ExecutionEnvironment extends Pick<ports.ExecutionEnvironment, (typeof SAME_MEMBERS)[number]> {
  readonly listDirectory: (path: string, depth?: number) => Promise<readonly ports.DirEntry[]>
  readonly execCommand: (
    command: string,
    timeoutMs?: number,
    workingDir?: string,
    envVars?: Readonly<Record<string, string>>,
    extras?: ExecExtras,
  ) => Promise<ExecResult>
  readonly grep: (pattern: string, path: string, options?: GrepOptions) => Promise<string>
  readonly glob: (pattern: string, path: string) => Promise<readonly string[]>
}

export const RAW_MEMBERS = [
  'readBytes',
  'writeBytes',
  'stat',
  'lstat',
  'realpath',
  'readlink',
  'symlink',
  'rename',
  'setMode',
  'createFolder',
  'removeFolder',
  'spawn',
  'open',
  'openShell',
] as const satisfies readonly (keyof ports.ExecutionEnvironment)[]

/**
 * Members with which the built-in tools read and write exact bytes. An environment that has these members is faster and need not be
 * POSIX.
 */
export type RawAccess = Pick<ports.ExecutionEnvironment, (typeof RAW_MEMBERS)[number]>

/**
 * The environment of a host: the members that the specification defines, and any of `RawAccess`. Missing members are emulated with POSIX
 * commands.
 */
export type HostEnvironment = ExecutionEnvironment & Partial<RawAccess>

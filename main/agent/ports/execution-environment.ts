import type { Disposable } from '../../../shared/lib/disposable.ts'

/** P2-27. `stdout` and `stderr` are apart on pipes; in a pty everything is `stdout`, rendered. Bounded: head and tail, the whole in `spool`. */
export interface ExecResult {
  readonly stdout: string
  readonly stderr: string
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly aborted: boolean
  readonly durationMs: number
  /** Bytes that the command wrote in all, and whether `stdout`/`stderr` hold them all. */
  readonly bytes: number
  readonly complete: boolean
  /** Characters by which the two are shorter than what was written; absent: by none. */
  readonly missing?: number
  /** Process ids that the command left running in the background; they are ended with the environment. Absent: none. */
  readonly leftRunning?: readonly number[]
  /** It was waiting for somebody to type when the time limit or the abort ended it. Absent: it was not, or nobody can tell. */
  readonly waitedForInput?: boolean
}

export interface DirEntry {
  readonly name: string
  readonly isDir: boolean
  /** Bytes; null for folders. */
  readonly size: number | null
}

export interface GrepOptions {
  readonly caseSensitive?: boolean
  /** In all, not per file (T-10). */
  readonly maxResults?: number
  readonly includePattern?: string
  readonly contextLines?: number
  readonly multiline?: boolean
  readonly signal?: AbortSignal
}

export interface GrepMatch {
  /** Relative to the folder that was searched. */
  readonly path: string
  readonly line: number
  readonly text: string
  readonly isContext: boolean
}

export interface GrepResult {
  readonly matches: readonly GrepMatch[]
  readonly capped: boolean
}

export interface GlobOptions {
  readonly maxResults?: number
  /** Default true. */
  readonly caseSensitive?: boolean
  /** What `.gitignore` files leave out too; `.git` never. */
  readonly ignored?: boolean
  readonly signal?: AbortSignal
}

export interface GlobResult {
  /** Relative to the folder that was searched, newest first. */
  readonly paths: readonly string[]
  readonly total: number
}

export interface FileStat {
  readonly kind: 'file' | 'folder' | 'symlink' | 'other'
  readonly size: number
  readonly mode: number
  readonly mtimeMs: number
  readonly inode: number
  readonly links: number
}

export type EnvVarPolicy = 'inherit_all' | 'inherit_core' | 'inherit_none'

export interface ExecOptions {
  /** Milliseconds; P2-44's 10 000 when left out. Does not run while `onWaiting` says that somebody must type, for up to 2 min in all. */
  readonly timeoutMs?: number
  readonly workingDir?: string
  /** Merged last (P2-49). */
  readonly envVars?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Called with what arrives, as it arrives: bytes as text, multi-byte characters never split. */
  readonly onOutput?: (chunk: OutputChunk) => void
  /** Run in a pty and let it be watched and typed into through `onTerminal`; otherwise on pipes with stdin at its end. */
  readonly terminal?: { readonly columns: number; readonly rows: number; readonly onOpen: (terminal: RunningTerminal) => void }
  /** Called once with the pid (the group's leader) before the first output. */
  readonly onStart?: (pid: number) => void
  /** Receives every raw byte in order, for the blob store; bounded memory is the receiver's business. */
  readonly spool?: (bytes: Uint8Array) => void
  /**
   * Receives the whole rendered text, of which `stdout`/`stderr` hold head and tail, in order and as it becomes final, as UTF-8 that holds
   * whole characters; the bytes are good during the call only.
   */
  readonly spoolText?: (utf8: Uint8Array) => void
  /** At most ten times a second while output comes: the last lines as they stand (at most 2 000 characters), and the bytes so far. */
  readonly onProgress?: (tail: string, bytes: number) => void
  /** In a terminal: told within 3 s when the command waits for somebody to type, and when it does so no longer. */
  readonly onWaiting?: (waits: boolean) => void
}

/** What a command in a lasting shell takes: the shell has its own folder, variables and terminal. */
export type ShellExecOptions = Omit<ExecOptions, 'workingDir' | 'envVars' | 'terminal'> & {
  /** Offers the terminal to be watched, where the shell has one. */
  readonly onTerminal?: (terminal: RunningTerminal) => void
}

/** `shellEnded`: `exit`, a signal, the time limit or an abort took the shell with it; whatever it held is gone. */
export interface ShellExecResult extends ExecResult {
  readonly shellEnded: boolean
}

/** A bash that lives on between commands: folder, variables, functions, aliases, options and background jobs stay (R-18, D-21). */
export interface LastingShell {
  /**
   * One command at a time; the next waits for its end. Resolves as `execCommand` does. Rejects with code `ESHELLENDED` when the shell
   * has ended before.
   */
  run(command: string, options?: ShellExecOptions): Promise<ShellExecResult>
  /** Where it stands after the last command that ended. */
  workingDirectory(): string
  isAlive(): boolean
  /** Ends it with everything that it started: SIGTERM, 2 s, SIGKILL. */
  close(): Promise<void>
}

export interface ShellOptions {
  readonly workingDir?: string
  /** Opens it in a pty of this size; else on pipes with stdin at its end. */
  readonly terminal?: { readonly columns: number; readonly rows: number }
}

export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** A pty while its command runs. */
export interface RunningTerminal {
  write(data: string): void
  resize(columns: number, rows: number): void
  /** Flow control: a paused pty stops reading, so the command blocks. */
  pause(): void
  resume(): void
  onData(listener: (data: string) => void): Disposable
  /** Null: a signal ended it, or it is not known. */
  onExit(listener: (exitCode: number | null) => void): Disposable
  /** It begins or ceases to wait for somebody to type. */
  onWaits(listener: (waits: boolean) => void): Disposable
  /** Ends a command that runs on beyond its call, with all that it started; absent of others, which end with theirs. */
  readonly end?: () => void
  /** What stands on the emulated screen now: its text lines, trailing blanks cut. */
  screen(): string
  /** What brings another terminal to the state after all that `onData` has delivered at the time of the call. Also after the exit. */
  snapshot(): Promise<TerminalSnapshot>
}

/** `data` written to an empty terminal of this size gives the same screen, with some rows above it; at most 256 K characters. */
export interface TerminalSnapshot {
  readonly columns: number
  readonly rows: number
  readonly data: string
}

/** A failed file operation, coded as the operating system does (`ENOENT`, `EACCES`, …), with a sentence for people. */
export interface FileFailure {
  readonly code: string
  readonly message: string
}

/**
 * Where an agent's work happens (P2-31, DESIGN §5). Paths may be relative to `workingDirectory()`. The promises reject with an
 * error that has `code` (`ENOENT` …); aborting rejects with the signal's reason, except `execCommand`, which resolves with `aborted`.
 * Everything that edits goes through `readBytes`/`writeBytes`; `readFile` numbers its lines and must never be written back (T-01).
 */
export interface ExecutionEnvironment {
  /** Numbered lines (P2-38): `offset` is a 0-based line index, `limit` a line count. */
  readFile(path: string, offset?: number, limit?: number): Promise<string>
  writeFile(path: string, content: string): Promise<void>
  deleteFile(path: string): Promise<void>
  fileExists(path: string): Promise<boolean>
  /** `unignored`: without what `.gitignore` files leave out. */
  listDirectory(path: string, depth?: number, options?: { readonly unignored?: boolean }): Promise<readonly DirEntry[]>
  execCommand(command: string, options?: ExecOptions): Promise<ExecResult>
  /** Rejects with a coded failure where no bash can be had (`ENOSHELL`). */
  openShell(options?: ShellOptions): Promise<LastingShell>
  /** Rejects with code `EINVAL` and ripgrep's words for a bad pattern; no match is an empty list. */
  grep(pattern: string, path: string, options?: GrepOptions): Promise<GrepResult>
  glob(pattern: string, path: string, options?: GlobOptions): Promise<GlobResult>
  /** Rejects when the working directory is missing or unreadable. */
  initialize(): Promise<void>
  /** Ends every process that was started here and waits for them. */
  cleanup(): Promise<void>
  workingDirectory(): string
  platform(): string
  osVersion(): string

  /** Raw bytes; refuses what is not a regular file (`EISDIR`, `EINVAL`) within a second, and files above `maxBytes` (`EFBIG`). */
  readBytes(path: string, options?: { readonly maxBytes?: number; readonly signal?: AbortSignal }): Promise<Uint8Array>
  /**
   * Replaces the content atomically (temp file, fsync, rename), keeps mode, writes through a symlink, makes missing folders.
   * `expected`: what must stand there now (null: nothing); anything else rejects with code `ECHANGED` and nothing is written.
   * `real`: `path` is the real path that was approved; if a link lies on the way now, that is a change too (C10).
   */
  writeBytes(
    path: string,
    bytes: Uint8Array,
    options?: { readonly expected?: Uint8Array | null; readonly mode?: number; readonly real?: boolean },
  ): Promise<void>
  /** Null when nothing is there. Follows links. */
  stat(path: string): Promise<FileStat | null>
  lstat(path: string): Promise<FileStat | null>
  /** The real path; for what does not exist yet, that of the nearest existing ancestor with the rest appended (C9). */
  realpath(path: string): Promise<string>
  readlink(path: string): Promise<string>
  symlink(target: string, path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  setMode(path: string, mode: number): Promise<void>
  /** argv only, never a shell; for our own ripgrep and git. Rejects when the program cannot be started. */
  spawn(argv: readonly [string, ...string[]], options?: SpawnOptions): Promise<SpawnResult>
}

export interface SpawnOptions {
  readonly workingDir?: string
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Bytes of stdout kept; the process is ended when it is reached. */
  readonly maxBytes?: number
}

export interface SpawnResult {
  readonly stdout: Uint8Array
  readonly stderr: string
  readonly exitCode: number | null
  readonly capped: boolean
}

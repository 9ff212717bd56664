import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { OpenedProgram, ProgramPorts } from './opened-program.ts'

/**
 * The result of a command. On pipes, `stdout` and `stderr` are separate. In a pty, everything is in `stdout`, rendered. Both contain only
 * the head and tail of a long output. The complete output goes to `spool`.
 */
export interface ExecResult {
  readonly stdout: string
  readonly stderr: string
  /** Null if a signal ended the command, or if the code is unknown. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly aborted: boolean
  readonly durationMs: number
  /** `bytes`: the number of bytes the command wrote in total. `complete`: whether `stdout` and `stderr` contain all of them. */
  readonly bytes: number
  readonly complete: boolean
  /** Number of characters missing from `stdout` and `stderr`. If absent, none are missing. */
  readonly missing?: number
  /** Ids of the processes that the command left running in the background. They end with the environment. If absent, there are none. */
  readonly leftRunning?: readonly number[]
  /**
   * Whether the command was waiting for input when the time limit or the abort ended it. Absent if it was not waiting, or if that is
   * unknown.
   */
  readonly waitedForInput?: boolean
  /** The end of `stdout` (in a terminal) or `stderr` that says that time ran out. Absent if it did not. */
  readonly timeoutNote?: string
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
  readonly multiline?: boolean
  readonly signal?: AbortSignal
  /** If true, the searched path is the real path that was checked. If that path now leads elsewhere, the search rejects with `ECHANGED`. */
  readonly real?: boolean
}

export interface GrepMatch {
  /** Relative to the searched folder. */
  readonly path: string
  readonly line: number
  readonly text: string
  readonly isContext: boolean
}

export interface GrepResult {
  readonly matches: readonly GrepMatch[]
  readonly capped: boolean
}

/** What a session's agent gets of a search. */
interface GuardedGrepResult extends GrepResult {
  /** The files whose matches are left out, because they may hold secrets. Missing if there are none. */
  readonly withheld?: readonly string[]
}

export interface GlobOptions {
  readonly maxResults?: number
  /** Default: true. */
  readonly caseSensitive?: boolean
  /** Whether to include ignored files (`.gitignore`). `.git` is never included. */
  readonly ignored?: boolean
  readonly signal?: AbortSignal
  /** As for `grep`. */
  readonly real?: boolean
}

export interface GlobResult {
  /** Relative to the searched folder, newest first. */
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

/** A program about to be started. `pipes`: named pipes that it opens outside the folder. */
export interface ProgramStart {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly inTerminal: boolean
  readonly pipes?: readonly string[]
}

/** Turns the start of a program into another start that runs the same program with fewer rights. */
export interface Confinement {
  wrap(start: ProgramStart): Pick<ProgramStart, 'file' | 'args' | 'cwd' | 'env'>
}

/**
 * Lets a slow receiver of a command's output pause the command. While held, the output is not read, so the command soon has to wait before
 * it can print more.
 */
export interface OutputHold {
  readonly isHeld: boolean
  onChange(listener: (isHeld: boolean) => void): Disposable
}

export interface ExecOptions {
  /** Time limit in ms. Default: 10,000. The clock stops while `onWaiting` reports a wait for input, for up to 2 min in total. */
  readonly timeoutMs?: number
  /** If false, the clock goes on while the command waits for input, because nobody can type. Default: true. */
  readonly pausesForInput?: boolean
  readonly workingDir?: string
  /** These variables override all others. */
  readonly envVars?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Called with output as it arrives. Multi-byte characters are never split. */
  readonly onOutput?: (chunk: OutputChunk) => void
  /**
   * Runs the command in a pty, which is passed to `onOpen` for watching and typing. If absent, the command runs on pipes, with an empty
   * stdin.
   */
  readonly terminal?: { readonly columns: number; readonly rows: number; readonly onOpen: (terminal: RunningTerminal) => void }
  /** Called once with the pid (the leader of the process group) before the first output. */
  readonly onStart?: (pid: number) => void
  /** Called with every raw byte in order. The receiver must limit its own memory use. */
  readonly spool?: (bytes: Uint8Array) => void
  /**
   * Called with each part of the rendered text, in order, as soon as the part is final. Together, the parts are the complete text. A part
   * is UTF-8 that never splits a character, and is valid only during the callback.
   */
  readonly spoolText?: (utf8: Uint8Array) => void
  /**
   * Called at most ten times a second while output arrives, with the last lines (at most 2,000 characters) and the number of bytes so
   * far.
   */
  readonly onProgress?: (tail: string, bytes: number) => void
  /** For a command in a terminal: called within 3 s after the command starts or stops waiting for input. */
  readonly onWaiting?: (waits: boolean) => void
  /** If left out, the command has all rights of the user. */
  readonly confinement?: Confinement
  /** If left out, the output is never held. */
  readonly hold?: OutputHold
}

/** Options for a command in a persistent shell, which has its own folder, variables and terminal. */
export type ShellExecOptions = Omit<ExecOptions, 'workingDir' | 'envVars' | 'terminal' | 'confinement'> & {
  /** Called with the shell's terminal for watching, if the shell has one. */
  readonly onTerminal?: (terminal: RunningTerminal) => void
}

/** `shellEnded`: whether the shell ended with the command (`exit`, a signal, the time limit or an abort), so that its state is lost. */
export interface ShellExecResult extends ExecResult {
  readonly shellEnded: boolean
}

/** A bash that persists between commands and keeps its folder, variables, functions, aliases, options and background jobs. */
export interface LastingShell {
  /**
   * Runs one command at a time. The next command waits. Resolves like `execCommand`. Rejects with code `ESHELLENDED` if the shell has
   * already ended.
   */
  run(command: string, options?: ShellExecOptions): Promise<ShellExecResult>
  /** The shell's folder after the last finished command. */
  workingDirectory(): string
  isAlive(): boolean
  /** Resolves when the shell's process has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Ends the shell and everything it started, with SIGTERM and, after 2 s, SIGKILL. */
  close(): Promise<void>
}

export interface ShellOptions {
  readonly workingDir?: string
  /** These variables override all others. */
  readonly envVars?: Readonly<Record<string, string>>
  /** Opens the shell in a pty of this size. If absent, it is opened on pipes with an empty stdin. */
  readonly terminal?: { readonly columns: number; readonly rows: number }
  /** If left out, the shell has all rights of the user. */
  readonly confinement?: Confinement
}

export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** The pty of a running command. */
export interface RunningTerminal {
  write(data: string): void
  resize(columns: number, rows: number): void
  onData(listener: (data: string) => void): Disposable
  /** The exit code is null if a signal ended the command, or if the code is not known. */
  onExit(listener: (exitCode: number | null) => void): Disposable
  /** Called when the command starts or stops waiting for input. */
  onWaits(listener: (waits: boolean) => void): Disposable
  /** Ends a command that outlives its call, with everything it started. Absent for commands that end with their call. */
  readonly end?: () => void
  /** Whether the program sleeps and runs no other, as a shell at its prompt. Absent, or false, if this is not known. */
  readonly isIdle?: () => boolean
  /** The text lines of the emulated screen, without trailing spaces. */
  screen(): string
  /** Returns a snapshot that brings another terminal to the current state, with all data so far. Works after the exit too. */
  snapshot(part: SnapshotPart): Promise<TerminalSnapshot>
}

/** Whether to include rows that have scrolled off the screen. */
export type SnapshotPart = 'screen' | 'screen and scrollback'

/**
 * Writing `data` to an empty terminal of this size reproduces the screen and some of the rows that have scrolled off above it. At most 256
 * K characters.
 */
export interface TerminalSnapshot {
  readonly columns: number
  readonly rows: number
  readonly data: string
}

/** A failed file operation with the operating system's code (`ENOENT`, `EACCES`, …) and a sentence for people. */
export interface FileFailure {
  readonly code: string
  readonly message: string
}

/**
 * The environment in which an agent works. Paths may be relative to `workingDirectory()`. Promises reject with an error that has a `code`
 * (`ENOENT` …). After an abort they reject with the signal's reason, except for `execCommand`, which resolves with `aborted`. All editing
 * uses `readBytes` and `writeBytes`. The result of `readFile` has line numbers and must never be written back.
 */
export interface ExecutionEnvironment {
  /** Returns numbered lines. `offset` is a 0-based line index, `limit` a number of lines. */
  readFile(path: string, offset?: number, limit?: number): Promise<string>
  writeFile(path: string, content: string): Promise<void>
  deleteFile(path: string): Promise<void>
  fileExists(path: string): Promise<boolean>
  /** `unignored`: whether to skip what `.gitignore` files exclude. */
  listDirectory(path: string, depth?: number, options?: { readonly unignored?: boolean }): Promise<readonly DirEntry[]>
  execCommand(command: string, options?: ExecOptions): Promise<ExecResult>
  /** Rejects with `ENOSHELL` if there is no bash. */
  openShell(options?: ShellOptions): Promise<LastingShell>
  /** Rejects with `EINVAL` and ripgrep's message for a bad pattern. The list is empty if nothing matches. */
  grep(pattern: string, path: string, options?: GrepOptions): Promise<GuardedGrepResult>
  glob(pattern: string, path: string, options?: GlobOptions): Promise<GlobResult>
  /** Rejects if the working directory is missing or unreadable. */
  initialize(): Promise<void>
  /** Ends every process started here and waits for them. */
  cleanup(): Promise<void>
  workingDirectory(): string
  platform(): string
  osVersion(): string

  /**
   * Returns raw bytes. Rejects within a second for anything but a regular file (`EISDIR`, `EINVAL`), and for files above `maxBytes`
   * (`EFBIG`). `real`: `path` is the real path that was checked. If it leads elsewhere now, rejects with `ECHANGED`. `take`: may get the
   * bytes of a large file in pieces, in order, each valid until the promise that it may return resolves. In that case the result is empty.
   */
  readBytes(
    path: string,
    options?: {
      readonly maxBytes?: number
      readonly signal?: AbortSignal
      readonly real?: boolean
      readonly take?: (piece: Uint8Array) => void | Promise<void>
    },
  ): Promise<Uint8Array>
  /**
   * Replaces the content atomically (temp file, fsync, rename), keeps the mode, writes through a symlink, and creates missing folders.
   * `expected`: the required current content (null: no file). If the content differs, rejects with `ECHANGED` and writes nothing. `real`:
   * `path` is the real path that was approved. If the path now contains a link, that counts as a change too.
   */
  writeBytes(
    path: string,
    bytes: Uint8Array,
    options?: { readonly expected?: Uint8Array | null; readonly mode?: number; readonly real?: boolean },
  ): Promise<void>
  /** Null if nothing exists at the path. Follows links. */
  stat(path: string): Promise<FileStat | null>
  lstat(path: string): Promise<FileStat | null>
  /** The real path. For a path that does not exist, the real path of its nearest existing ancestor with the rest appended. */
  realpath(path: string): Promise<string>
  /** Rejects with `EILSEQ` if the target is not UTF-8, because a link created from the decoded text would lead elsewhere. */
  readlink(path: string): Promise<string>
  symlink(target: string, path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Rejects with `ELOOP` on Linux if the path is a link. */
  setMode(path: string, mode: number): Promise<void>
  /**
   * Creates a folder with this mode, and missing folders above it with the default mode. Rejects with `EEXIST` if something exists at the
   * path.
   */
  createFolder(path: string, mode: number): Promise<void>
  /** Deletes an empty folder. Rejects with `ENOTEMPTY` if it is not empty, and with `ENOTDIR` for anything else. */
  removeFolder(path: string): Promise<void>
  /** Runs an argv, never a shell command. Used for ripgrep, git and hooks. Rejects if the program cannot be started. */
  spawn(argv: readonly [string, ...string[]], options?: SpawnOptions): Promise<SpawnResult>
  /**
   * Starts a program with pipes to its standard streams, for a lasting conversation with a server, an agent or a hook. Takes arguments,
   * never a shell command, and looks for the program where `spawn` does. Resolves when the program runs. Rejects with `ENOENT` if there is
   * no such program, and with the signal's reason if the signal aborts first.
   */
  open(argv: readonly [string, ...string[]], options?: OpenOptions): Promise<OpenedProgram>
  /** If absent, the ports of its programs can be neither found nor reached. */
  readonly ports?: ProgramPorts
}

export interface OpenOptions {
  readonly workingDir?: string
  /** Variables in addition to those of this environment's commands, which they override. */
  readonly envVars?: Readonly<Record<string, string>>
  /** Ends the program when it aborts, at any time, as `kill` does. */
  readonly signal?: AbortSignal
  /** If left out, the program has all rights that the environment gives. */
  readonly confinement?: Confinement
}

export interface SpawnOptions {
  readonly workingDir?: string
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Maximum number of bytes of stdout that are kept. At the limit the program is stopped. */
  readonly maxBytes?: number
  /** Whether the program certainly changes nothing. Default: it may. */
  readonly onlyReads?: boolean
  /** Bytes written to the program's stdin. By default, it has no stdin. */
  readonly input?: Uint8Array
  /** If left out, the program has all rights of the user. */
  readonly confinement?: Confinement
}

export interface SpawnResult {
  readonly stdout: Uint8Array
  readonly stderr: string
  readonly exitCode: number | null
  readonly capped: boolean
}

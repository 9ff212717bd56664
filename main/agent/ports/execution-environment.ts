import type { Disposable } from '../../../shared/lib/disposable.ts'

/**
 * The result of a command. On pipes `stdout` and `stderr` are separate; in a pty everything is in `stdout`, rendered. Both are bounded to
 * head and tail; the whole output goes to `spool`.
 */
export interface ExecResult {
  readonly stdout: string
  readonly stderr: string
  /** Null: a signal ended it, or unknown. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly aborted: boolean
  readonly durationMs: number
  /** Bytes the command wrote in total, and whether `stdout` and `stderr` contain all of them. */
  readonly bytes: number
  readonly complete: boolean
  /** Characters missing from the two. Absent: none. */
  readonly missing?: number
  /** Process ids the command left running in the background; they end with the environment. Absent: none. */
  readonly leftRunning?: readonly number[]
  /** It was waiting for input when the time limit or the abort ended it. Absent: no, or unknown. */
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
  /** In total, not per file. */
  readonly maxResults?: number
  readonly includePattern?: string
  readonly contextLines?: number
  readonly multiline?: boolean
  readonly signal?: AbortSignal
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

export interface GlobOptions {
  readonly maxResults?: number
  /** Default true. */
  readonly caseSensitive?: boolean
  /** Include ignored files (`.gitignore`); never `.git`. */
  readonly ignored?: boolean
  readonly signal?: AbortSignal
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

/** A program about to be started. `pipes`: named pipes outside the folder that it opens. */
export interface ProgramStart {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly inTerminal: boolean
  readonly pipes?: readonly string[]
}

/** Makes of a start another one that runs the same program with fewer rights. */
export interface Confinement {
  wrap(start: ProgramStart): Pick<ProgramStart, 'file' | 'args' | 'cwd' | 'env'>
}

export interface ExecOptions {
  /** In ms, default 10,000. Paused while `onWaiting` reports a wait for input, for up to 2 min in total. */
  readonly timeoutMs?: number
  readonly workingDir?: string
  /** Override all other variables. */
  readonly envVars?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Called with output as it arrives; multi-byte characters are never split. */
  readonly onOutput?: (chunk: OutputChunk) => void
  /** Run in a pty, which `onOpen` gets for watching and typing. Otherwise on pipes, with stdin at its end. */
  readonly terminal?: { readonly columns: number; readonly rows: number; readonly onOpen: (terminal: RunningTerminal) => void }
  /** Called once with the pid (the leader of the process group) before the first output. */
  readonly onStart?: (pid: number) => void
  /** Gets every raw byte in order; the receiver must bound its memory. */
  readonly spool?: (bytes: Uint8Array) => void
  /** Gets the whole rendered text in order, as parts of it become final: UTF-8 in whole characters, valid during the call only. */
  readonly spoolText?: (utf8: Uint8Array) => void
  /** At most ten times a second while output arrives: the last lines (at most 2,000 characters), and the bytes so far. */
  readonly onProgress?: (tail: string, bytes: number) => void
  /** In a terminal: called within 3 s when the command starts or stops waiting for input. */
  readonly onWaiting?: (waits: boolean) => void
  /** Left out: the command has all rights of the person. */
  readonly confinement?: Confinement
}

/** Options for a command in a persistent shell, which has its own folder, variables and terminal. */
export type ShellExecOptions = Omit<ExecOptions, 'workingDir' | 'envVars' | 'terminal' | 'confinement'> & {
  /** Gets the shell's terminal for watching, if it has one. */
  readonly onTerminal?: (terminal: RunningTerminal) => void
}

/** `shellEnded`: the shell ended with the command (`exit`, a signal, the time limit or an abort), and its state is lost. */
export interface ShellExecResult extends ExecResult {
  readonly shellEnded: boolean
}

/** A bash that persists between commands: folder, variables, functions, aliases, options and background jobs stay. */
export interface LastingShell {
  /**
   * Runs one command at a time; the next waits. Resolves like `execCommand`. Rejects with code `ESHELLENDED` if the shell has ended
   * before.
   */
  run(command: string, options?: ShellExecOptions): Promise<ShellExecResult>
  /** Its folder after the last finished command. */
  workingDirectory(): string
  isAlive(): boolean
  /** Ends it and everything it started: SIGTERM, 2 s, SIGKILL. */
  close(): Promise<void>
}

export interface ShellOptions {
  readonly workingDir?: string
  /** Override all other variables. */
  readonly envVars?: Readonly<Record<string, string>>
  /** Opens it in a pty of this size; otherwise on pipes with stdin at its end. */
  readonly terminal?: { readonly columns: number; readonly rows: number }
  /** Left out: it has all rights of the person. */
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
  /** Flow control: while paused, the pty is not read and the command blocks. */
  pause(): void
  resume(): void
  onData(listener: (data: string) => void): Disposable
  /** Null: a signal ended it, or it is not known. */
  onExit(listener: (exitCode: number | null) => void): Disposable
  /** It starts or stops waiting for input. */
  onWaits(listener: (waits: boolean) => void): Disposable
  /** Ends a command that outlives its call, with everything it started. Absent for commands that end with their call. */
  readonly end?: () => void
  /** The text lines of the emulated screen, trailing spaces removed. */
  screen(): string
  /** Brings another terminal to the current state, after all data delivered so far. Works after the exit too. */
  snapshot(): Promise<TerminalSnapshot>
}

/** Writing `data` to an empty terminal of this size gives the same screen, with some rows above it; at most 256 K characters. */
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
 * Where an agent works. Paths may be relative to `workingDirectory()`. Promises reject with an error that has `code` (`ENOENT` …); an
 * abort rejects with the signal's reason, except for `execCommand`, which resolves with `aborted`. All editing uses `readBytes` and
 * `writeBytes`; `readFile` adds line numbers and must never be written back.
 */
export interface ExecutionEnvironment {
  /** Numbered lines. `offset` is a 0-based line index, `limit` a number of lines. */
  readFile(path: string, offset?: number, limit?: number): Promise<string>
  writeFile(path: string, content: string): Promise<void>
  deleteFile(path: string): Promise<void>
  fileExists(path: string): Promise<boolean>
  /** `unignored`: skip what `.gitignore` files exclude. */
  listDirectory(path: string, depth?: number, options?: { readonly unignored?: boolean }): Promise<readonly DirEntry[]>
  execCommand(command: string, options?: ExecOptions): Promise<ExecResult>
  /** Rejects with `ENOSHELL` if there is no bash. */
  openShell(options?: ShellOptions): Promise<LastingShell>
  /** Rejects with `EINVAL` and ripgrep's message for a bad pattern. No match is an empty list. */
  grep(pattern: string, path: string, options?: GrepOptions): Promise<GrepResult>
  glob(pattern: string, path: string, options?: GlobOptions): Promise<GlobResult>
  /** Rejects if the working directory is missing or unreadable. */
  initialize(): Promise<void>
  /** Ends every process started here and waits for them. */
  cleanup(): Promise<void>
  workingDirectory(): string
  platform(): string
  osVersion(): string

  /** Raw bytes. Rejects within a second for anything but a regular file (`EISDIR`, `EINVAL`), and for files above `maxBytes` (`EFBIG`). */
  readBytes(path: string, options?: { readonly maxBytes?: number; readonly signal?: AbortSignal }): Promise<Uint8Array>
  /**
   * Replaces the content atomically (temp file, fsync, rename), keeps the mode, writes through a symlink, creates missing folders.
   * `expected`: the required current content (null: no file); otherwise rejects with `ECHANGED` and writes nothing. `real`: `path` is the
   * real path that was approved; a link in it by now counts as a change too.
   */
  writeBytes(
    path: string,
    bytes: Uint8Array,
    options?: { readonly expected?: Uint8Array | null; readonly mode?: number; readonly real?: boolean },
  ): Promise<void>
  /** Null: nothing is there. Follows links. */
  stat(path: string): Promise<FileStat | null>
  lstat(path: string): Promise<FileStat | null>
  /** The real path. For a path that does not exist, the real path of its nearest existing ancestor with the rest appended. */
  realpath(path: string): Promise<string>
  /** Rejects with `EILSEQ` if the target is not UTF-8: a link made of the text would lead elsewhere. */
  readlink(path: string): Promise<string>
  symlink(target: string, path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  setMode(path: string, mode: number): Promise<void>
  /** Creates a folder with this mode, and missing folders above it with the usual one. Rejects with `EEXIST` if something is there. */
  createFolder(path: string, mode: number): Promise<void>
  /** Deletes an empty folder. Rejects with `ENOTEMPTY` if it is not empty, and with `ENOTDIR` for anything else. */
  removeFolder(path: string): Promise<void>
  /** Takes an argv, never a shell; for ripgrep, git and hooks. Rejects if the program cannot be started. */
  spawn(argv: readonly [string, ...string[]], options?: SpawnOptions): Promise<SpawnResult>
}

export interface SpawnOptions {
  readonly workingDir?: string
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Bytes of stdout kept; at the limit the process is ended. */
  readonly maxBytes?: number
  /** Written to its stdin. Default: there is none. */
  readonly input?: Uint8Array
  /** Left out: the program has all rights of the person. */
  readonly confinement?: Confinement
}

export interface SpawnResult {
  readonly stdout: Uint8Array
  readonly stderr: string
  readonly exitCode: number | null
  readonly capped: boolean
}

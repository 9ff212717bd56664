import type { Readable, Writable } from 'node:stream'

/** How a program ended. Both are null if that is unknown, because the connection to the program's machine was lost. */
export interface ProgramExit {
  /** Null if a signal ended the program. */
  readonly exitCode: number | null
  readonly signal: string | null
}

/**
 * A running program and the pipes to its standard streams. Bytes pass unchanged: no secrets are hidden in them. Nothing is lost, and little
 * is buffered: a slow reader makes the writer wait, in both directions.
 */
export interface OpenedProgram {
  /**
   * While the program does not read, writing stops at about 300 KB, as Node's streams do (`write` returns false, then `drain`). `end` ends
   * the program's input. What is written after the program's end is dropped, and is no error.
   */
  readonly stdin: Writable
  /**
   * Must be read, even if nobody wants it (`resume`): the program waits when about 300 KB are unread. Can still be read after the program's
   * end. Ends when no process has it open any more.
   */
  readonly stdout: Readable
  /** As `stdout`. */
  readonly stderr: Readable
  /**
   * Resolves when the program has ended, even if its output has not been read, and after `kill` when everything that it started has ended.
   * Never rejects. What a program leaves running when it ends by itself ends with the environment.
   */
  readonly ended: Promise<ProgramExit>
  /**
   * Ends the program and everything that it started: SIGTERM and, after 2 s, SIGKILL. A confined program gets SIGKILL at once. Resolves with
   * `ended`.
   */
  kill(): Promise<void>
}

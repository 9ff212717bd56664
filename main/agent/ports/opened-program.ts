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

/** A TCP port on which a program listens. `program`: the name of its process, as the system reports it. */
export interface ListeningPort {
  readonly port: number
  readonly program: string
}

/** The ports on which the programs of an environment listen, on its own machine and in its own network. */
export interface ProgramPorts {
  /**
   * The ports of programs that this environment has started, by number. Starts nothing: empty if nothing runs, and on systems that do not
   * tell (everything but Linux).
   */
  listening(): Promise<readonly ListeningPort[]>
  /**
   * Connects to a port at `localhost`. The connection has the pipes of a program: what is written to `stdin` is sent, `stdout` is what
   * arrives, nothing comes from `stderr`, and `ended` resolves when both directions have ended. Rejects with the system's code, such as
   * `ECONNREFUSED`.
   */
  dial(port: number, signal?: AbortSignal): Promise<OpenedProgram>
}

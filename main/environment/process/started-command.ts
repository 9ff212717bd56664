import type { ExecResult } from '../../agent/ports/execution-environment.ts'
import type { Variables } from '../env-policy.ts'

export interface CommandStart {
  readonly file: string
  readonly args: string[]
  /** On Windows, whether the arguments are passed on without quotes around them. */
  readonly verbatim?: boolean
  readonly cwd: string
  readonly env: Variables
  /** Called with the output in order. The bytes are valid only during the call. A pty has only one stream. */
  readonly onBytes: (stream: 'stdout' | 'stderr', bytes: Buffer) => void
}

export type Exit = Pick<ExecResult, 'exitCode' | 'signal'>

/** A started command on pipes or in a pty. It leads its own process group. */
export interface StartedCommand {
  readonly pid: number
  /** The pipes with which the command was started, from `outputsOf`. Empty for a command in a terminal. */
  readonly outputs?: readonly string[]
  /** How the leader ended. */
  readonly exit: Promise<Exit>
  /** Resolves when all output has been delivered. If a surviving process keeps the output open, this happens late or never. */
  readonly drained: Promise<void>
  pause(): void
  resume(): void
  /** Call this when the command has ended, so that its output is read even if reading was paused. */
  flush(): void
  /** Stops reading, after delivering all output that is available. */
  close(): Promise<void>
}

/** Opens pseudo-terminals. This is an interface, so that they can be moved to a separate process. */
export interface PtyHost {
  /** Rejects with a coded failure if the program cannot be started. */
  open(start: CommandStart & { readonly columns: number; readonly rows: number }): Promise<PtyCommand>
}

/** A command in a pty. */
export interface PtyCommand extends StartedCommand {
  write(data: string): void
  resize(columns: number, rows: number): void
}

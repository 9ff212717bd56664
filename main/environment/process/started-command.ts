import type { ExecResult } from '../../agent/ports/execution-environment.ts'
import type { Variables } from '../env-policy.ts'

export interface CommandStart {
  readonly file: string
  readonly args: string[]
  /** Windows: the arguments are passed on as they are, without quotes around them. */
  readonly verbatim?: boolean
  readonly cwd: string
  readonly env: Variables
  /** In order, as it arrives. A pty has only one stream. */
  readonly onBytes: (stream: 'stdout' | 'stderr', bytes: Buffer) => void
}

export type Exit = Pick<ExecResult, 'exitCode' | 'signal'>

/** A command on its way, whatever it is connected to. It leads a process group of its own. */
export interface StartedCommand {
  readonly pid: number
  /** The pipes that it was started with, by `outputsOf`; none in a terminal. */
  readonly outputs?: readonly string[]
  /** How the leader ended. */
  readonly exit: Promise<Exit>
  /** All output has been handed over; comes late or never when a survivor keeps the output open. */
  readonly drained: Promise<void>
  pause(): void
  resume(): void
  /** The command has ended: what it wrote is read whatever was paused. */
  flush(): void
  /** Gives the output up, once all that lies ready in it was handed over. */
  close(): Promise<void>
}

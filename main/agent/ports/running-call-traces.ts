import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'

/**
 * Notes about running steps outside the log, so that after a crash it is still known how long a step ran and what it wrote last. Best
 * effort: if storage fails, the note is lost, never the step.
 */
export interface RunningCallTraces {
  /** The step begins. Disposing removes its note, because its end is in the log. */
  begin(toolCallId: ToolCallId): CallTrace
  /** The note of an earlier process; null: none, for example of a step that ran for less than a second and wrote nothing. */
  last(toolCallId: ToolCallId): LastTrace | null
  forget(toolCallId: ToolCallId): void
}

interface CallTrace extends Disposable {
  /** Replaces the noted last lines of output. */
  wrote(tail: string): void
}

export interface LastTrace {
  /** Ms since the epoch; the step ran at least until then. */
  readonly atMs: number
  readonly tail: string
}

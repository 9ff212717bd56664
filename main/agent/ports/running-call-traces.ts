import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'

/**
 * Notes about running steps, stored outside the log. After a crash, the notes show how long a step ran and what it wrote last. If storage
 * fails, only the note is lost, never the step.
 */
export interface RunningCallTraces {
  /** Called when the step begins. Disposing the trace removes the note, because the step's end is then in the log. */
  begin(toolCallId: ToolCallId): CallTrace
  /**
   * The note that an earlier process left. Null if there is none, for example for a step that ran for less than a second and wrote nothing.
   */
  last(toolCallId: ToolCallId): LastTrace | null
  forget(toolCallId: ToolCallId): void
}

interface CallTrace extends Disposable {
  /** Replaces the last lines of output in the note. */
  wrote(tail: string): void
}

export interface LastTrace {
  /** Milliseconds since the epoch. The step ran at least until then. */
  readonly atMs: number
  readonly tail: string
}

import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'

/**
 * What a running step leaves of itself outside the log, so that a kill of the app does not take with it how long the step ran and what it
 * wrote last. A courtesy: storage that fails costs the trace, never the step.
 */
export interface CallTraces {
  /** The step begins. Disposing takes its trace away: its end is in the log. */
  begin(toolCallId: ToolCallId): CallTrace
  /** What an earlier process left of a step; null: nothing, as of one that ran for less than a second and wrote nothing. */
  last(toolCallId: ToolCallId): LastTrace | null
  forget(toolCallId: ToolCallId): void
}

export interface CallTrace extends Disposable {
  /** The last lines of the step's output as they stand now. */
  wrote(tail: string): void
}

export interface LastTrace {
  /** Milliseconds since the epoch: until then, at least, the step ran. */
  readonly atMs: number
  readonly tail: string
}

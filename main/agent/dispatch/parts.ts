import type { Effect } from '../../../shared/session/effects.ts'
import type { FileChange, UnreadFile } from '../../../shared/session/events.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { CallTraces } from '../ports/call-traces.ts'
import type { Clock } from '../ports/clock.ts'
import type { BlobStore } from '../ports/event-log.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { Redactor } from '../ports/redactor.ts'
import type { Policy } from '../ports/policy.ts'
import type { PathFacts, PrepareContext, RunContext, Spool, ToolRegistry } from '../ports/tool.ts'

export interface Captured {
  readonly files: readonly FileChange[]
  readonly unread: readonly UnreadFile[]
}

/** The bytes of the files that a step names, taken before it; `changes` takes them again and says what differs. */
export interface Capture {
  /** Never rejects: a file that cannot be read or kept any more is named as such. */
  changes(): Promise<Captured>
}

/** All that carrying out a round of calls needs from outside. */
export interface DispatchParts {
  readonly registry: ToolRegistry
  readonly env: ExecutionEnvironment
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly policy: Policy
  readonly limits: PrepareContext['limits']
  /** Whether calls without effects may run at the same time (S-10). */
  readonly parallel: boolean
  /** Applied to all that a call gives back, before the log, the screen and the model get it. */
  readonly redactor: Redactor
  openSpool(): Spool
  place(path: string): Promise<PathFacts>
  /** What an answer is bound to: over exactly what would be executed or written. */
  effectHash(effects: readonly Effect[]): string
  capture(effects: readonly Effect[]): Promise<Capture>
  /** The workspace's write lock: works run one after the other, in the order in which they came. Rejects with the reason when aborted while waiting. */
  exclusively<T>(work: (hasWaited: boolean) => Promise<T>, signal: AbortSignal): Promise<T>
  /** What the model gets of a long text (P3-01…13). `toolCallId`: by which the model can read the rest of it; `missing`: as of the output. */
  truncate(toolName: string, output: string, toolCallId?: ToolCallId, missing?: number): string
  terminal(toolCallId: ToolCallId): RunContext['terminal']
  readonly traces: CallTraces
}

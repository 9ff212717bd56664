import type { Result } from '../../../shared/lib/result.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { ToolOutput } from './tool.ts'
import type { Lease } from '../../../shared/session/events.ts'

export interface SpawnRequest {
  /** The call that asks for it. The same call gets the same subagent, also after a restart. */
  readonly toolCallId: ToolCallId
  readonly agentType: string
  readonly task: string
  /** Null: the parent's. */
  readonly model: string | null
  /** Real path of a folder inside the project; null: the parent's. */
  readonly workingDir: string | null
  /** A null limit means only the parent's own budget applies. */
  readonly lease: Lease
  /** Waits for a free slot instead of failing. */
  readonly patient: boolean
  readonly signal: AbortSignal
}

/** A subagent's result or current state. */
export interface AgentReport {
  readonly agentId: SessionId
  readonly status: 'running' | 'completed' | 'failed'
  /** The text of its newest answer. */
  readonly output: string
  readonly success: boolean
  /** The person stopped it, which the screen does not show as a failure. */
  readonly stopped?: boolean
  readonly turnsUsed: number
  /** What it changed in its own copy, once it has ended; null: nothing that is not yet in the log. */
  readonly changes: NonNullable<ToolOutput['subagentChanges']> | null
  /** Why it works in the folder itself although it may write, as a sentence; null: it does not. */
  readonly noOwnCopy: string | null
  /** Why it did not finish, as a sentence; null: it finished, or still runs. */
  readonly why: string | null
}

/** An agent type that `spawn` knows. */
export interface AgentType {
  readonly name: string
  /** For the model that chooses. */
  readonly description: string
  /** Instructions added to the parent's task. */
  readonly prompt: string
  /** Reading tools only, and mode `plan`: it changes nothing. */
  readonly readsOnly: boolean
  /** By canonical name. Left out or null: all that `readsOnly` allows. */
  readonly tools?: readonly string[] | null
  /** The required form of its answer. Default: free text. */
  readonly answer?: 'plan'
  /** Left out or null: the parent's. Never above the parent's. */
  readonly mode?: ApprovalMode | null
  /** A model, or `opus`, `sonnet` or `haiku`. Left out, or not a model of the parent's provider: the parent's. */
  readonly model?: string
  /** The file that defines it. Left out: it is built in. */
  readonly path?: string
}

/**
 * The subagents of one session. Each is a session with its own history in the same environment, with rights never above the parent's.
 * Failures are sentences for the model. Subagents stop with the parent's turn and end with its session.
 */
export interface Subagents {
  types(): readonly AgentType[]
  /** Resolves as soon as it works. */
  spawn(request: SpawnRequest): Promise<Result<SessionId, string>>
  /** Sends a message, which begins a turn or waits for the end of the running one. */
  send(agentId: string, message: string): Promise<Result<AgentReport, string>>
  /**
   * Resolves when it has finished, or after `timeoutMs` with status `running`. Rejects with the signal's reason. Resolves at once if it
   * has already ended.
   */
  wait(agentId: string, options: WaitOptions): Promise<Result<AgentReport, string>>
  /** Stops it and returns the rest of its budget. */
  close(agentId: string): Promise<Result<AgentReport, string>>
  /** All of them, running or finished. */
  ids(): readonly SessionId[]
}

export interface WaitOptions {
  readonly timeoutMs: number | null
  readonly signal: AbortSignal
  /** Called with what it is doing, in a few words, whenever that changes. */
  readonly onAction?: (words: string) => void
}

import type { Result } from '../../../shared/lib/result.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { ToolOutput } from './tool.ts'
import type { Lease } from '../../../shared/session/settings/budget-lease.ts'

export interface SpawnRequest {
  /** The call that asks for the subagent. The same call gets the same subagent, even after a restart. */
  readonly toolCallId: ToolCallId
  readonly agentType: string
  readonly task: string
  /** Null for the parent's model. */
  readonly model: string | null
  /** Real path of a folder inside the project. Null for the parent's folder. */
  readonly workingDir: string | null
  /** A null limit means only the parent's own budget applies. */
  readonly lease: Lease
  /** Whether to wait for a free slot instead of failing. */
  readonly patient: boolean
  readonly signal: AbortSignal
}

/** A subagent's result or current state. */
export interface AgentReport {
  readonly agentId: SessionId
  readonly status: 'running' | 'completed' | 'failed'
  /** The text of the subagent's newest answer. */
  readonly output: string
  readonly success: boolean
  /** Whether the user stopped the subagent, which the screen does not show as a failure. */
  readonly stopped?: boolean
  readonly turnsUsed: number
  /**
   * What the subagent has changed in its own copy, once it has ended. Null if there are no changes, or if they are already in the log.
   */
  readonly changes: NonNullable<ToolOutput['layerChanges']> | null
  /**
   * Why a subagent that may write works in the folder itself instead of in its own copy, as a sentence. Null if it has a copy or needs
   * none.
   */
  readonly noOwnCopy: string | null
  /** Why the subagent did not finish, as a sentence. Null if it has finished or is still running. */
  readonly why: string | null
}

/** An agent type that `spawn` knows. */
export interface AgentType {
  readonly name: string
  /** A description for the model that chooses a type. */
  readonly description: string
  /** Instructions added to the parent's task. */
  readonly prompt: string
  /** Whether the type has only read-only tools and runs in plan mode, so that it changes nothing. */
  readonly readsOnly: boolean
  /** The tools by canonical name. If left out or null: all that `readsOnly` allows, except `excludedTools`. */
  readonly tools?: readonly string[] | null
  /** Tools that the type does not have, by canonical name; `mcp__server` for all tools of an MCP server. */
  readonly excludedTools?: readonly string[]
  /** The required form of the subagent's answer. Default: free text. */
  readonly answer?: 'plan'
  /** If left out or null, the parent's mode. Never more permissive than the parent's mode. */
  readonly mode?: ApprovalMode | null
  /**
   * A model, or `opus`, `sonnet` or `haiku`. If left out, or if it is not a model of the parent's provider, the parent's model is used.
   */
  readonly model?: string
  /** The file that defines the type. Left out for a built-in type. */
  readonly path?: string
}

/**
 * The subagents of one session. Each subagent is a session with its own history in the same environment. Its rights never exceed the
 * parent's. Failures are sentences for the model. Subagents stop with the parent's turn and end with the parent's session.
 */
export interface Subagents {
  types(): readonly AgentType[]
  /** Resolves once the subagent has begun. */
  spawn(request: SpawnRequest): Promise<Result<SessionId, string>>
  /** Sends a message. The message begins a turn, or waits until the running turn has ended. */
  send(agentId: string, message: string): Promise<Result<AgentReport, string>>
  /**
   * Resolves when the subagent has finished, or at once if it already has. Resolves after `timeoutMs` with status `running` if the subagent
   * is still running. Rejects with the signal's reason.
   */
  wait(agentId: string, options: WaitOptions): Promise<Result<AgentReport, string>>
  /** Stops the subagent, which frees what it has not spent of its budget. */
  close(agentId: string): Promise<Result<AgentReport, string>>
  /** The ids of all subagents, running or finished. */
  ids(): readonly SessionId[]
}

export interface WaitOptions {
  readonly timeoutMs: number | null
  readonly signal: AbortSignal
  /** Called with a few words about what the subagent is doing, whenever that changes. */
  readonly onAction?: (words: string) => void
}

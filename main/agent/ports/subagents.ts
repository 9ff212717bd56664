import type { Result } from '../../../shared/lib/result.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { Lease } from '../../../shared/session/events.ts'

export interface SpawnRequest {
  /** The call that wants it: the same call gets the same subagent, also after a restart. */
  readonly toolCallId: ToolCallId
  readonly agentType: string
  readonly task: string
  /** Null: the parent's. */
  readonly model: string | null
  /** Real path of a folder inside the project; null: the parent's. */
  readonly workingDir: string | null
  /** What is null is bounded by the parent's own lease alone. */
  readonly lease: Lease
  /** Waits until there is room for it (D-53), instead of failing. */
  readonly patient: boolean
  readonly signal: AbortSignal
}

/** What came of a subagent, or stands now (AC7.6, S-38). */
export interface AgentReport {
  readonly agentId: SessionId
  readonly status: 'running' | 'completed' | 'failed'
  /** The text of its newest answer. */
  readonly output: string
  readonly success: boolean
  /** The person stopped it: for the screen, which shows no failure then. */
  readonly stopped?: boolean
  readonly turnsUsed: number
  /** Why it did not come to its natural end, as a sentence; null when it did or still runs. */
  readonly why: string | null
}

/** A kind of subagent that `spawn` knows. */
export interface AgentType {
  readonly name: string
  /** For the model that chooses. */
  readonly description: string
  /** Its own part of the task, before the words of the parent. */
  readonly prompt: string
  /** Reading tools only, and mode `plan`: it changes nothing. */
  readonly readsOnly: boolean
  /** By canonical name; left out or null: all that `readsOnly` leaves. */
  readonly tools?: readonly string[] | null
  /** The form in which its answer is handed in; left out: free. */
  readonly answer?: 'plan'
  /** Left out or null: the parent's. Never above the parent's. */
  readonly mode?: ApprovalMode | null
}

/**
 * The subagents of one session: each a session of its own with its own history, in the same environment, with rights never above the
 * parent's (AC7, S-38, S-39). A failure is a sentence for the model. What is started here is stopped with the parent's turn and ends with it.
 */
export interface Subagents {
  types(): readonly AgentType[]
  /** Resolves as soon as it is at work. */
  spawn(request: SpawnRequest): Promise<Result<SessionId, string>>
  /** A message: begins a turn, or waits for the end of the running one. */
  send(agentId: string, message: string): Promise<Result<AgentReport, string>>
  /** Resolves when it is at rest, or after `timeoutMs` with status `running`; rejects with the signal's reason. Never hangs on one that has ended (T-06). */
  wait(agentId: string, options: WaitOptions): Promise<Result<AgentReport, string>>
  /** Stops it and gives back what is left of its lease. */
  close(agentId: string): Promise<Result<AgentReport, string>>
  /** All of them, at rest or not. */
  ids(): readonly SessionId[]
}

export interface WaitOptions {
  readonly timeoutMs: number | null
  readonly signal: AbortSignal
  /** What it does at this moment, in a few words, whenever that changes. */
  readonly onAction?: (words: string) => void
}

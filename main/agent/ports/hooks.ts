import type { JsonValue, Usage } from '../../../shared/session/content.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import type { HookEvent, HookRun } from '../../../shared/session/hooks.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { LoggedTurn } from '../../../shared/session/conversation-turns.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'

type Arguments = { readonly [key: string]: JsonValue }

interface CallFacts {
  readonly toolCallId: ToolCallId
  /** Countersign's tool name. */
  readonly toolName: string
  readonly args: Arguments
}

/** The facts that hooks get about an event. */
export type HookMoment =
  | ({ readonly event: 'PreToolUse' | 'PermissionRequest' } & CallFacts)
  | ({ readonly event: 'PostToolUse'; readonly output: string } & CallFacts)
  | { readonly event: 'UserPromptSubmit'; readonly prompt: string }
  /** `isContinued`: whether an earlier hook has already made the agent continue. */
  | { readonly event: 'Stop' | 'SubagentStop'; readonly isContinued: boolean; readonly lastWords: string }
  /** `instructions`: what the user wants the summary to keep. Empty if nothing special. */
  | { readonly event: 'PreCompact'; readonly trigger: 'manual' | 'auto'; readonly instructions: string }
  | { readonly event: 'SessionStart'; readonly source: 'startup' | 'resume' | 'compact' | 'fork' }
  /** `clear`: the session is closed for good. */
  | { readonly event: 'SessionEnd'; readonly reason: 'clear' | 'other' }
  | { readonly event: 'Notification'; readonly message: string; readonly type: string }

/** The cost of asking a model one question. `costUsd` is null if the price is unknown. */
export interface HookCost {
  readonly usage: Usage
  readonly costUsd: number | null
}

/** The combined answer of all hooks of an event: `deny` beats `ask`, `ask` beats `allow`. */
export interface HookAnswer {
  readonly runs: readonly HookRun[]
  /** Hook runs that nothing waits for. Never rejects. Null if there are none. */
  readonly later: Promise<readonly HookRun[]> | null
  /** Null if no hook gives a decision. */
  readonly decision: 'deny' | 'ask' | 'allow' | null
  readonly reason: string
  /** Null if the arguments do not change. */
  readonly updatedInput: Arguments | null
  /** What the model gets in place of a tool's result. Null if the model gets the result. */
  readonly updatedOutput: string | null
  /** The cost of models that hooks asked. */
  readonly spent: readonly HookCost[]
  /** A name for the session. Empty if there is none. */
  readonly title: string
  /** Text for the model. Empty if there is none. */
  readonly context: string
  /** Why the turn must end. Null if it continues. */
  readonly stop: string | null
}

/** The facts that hooks get about the session. */
export interface HooksNow {
  readonly mode: ApprovalMode
  /** The model of the session. */
  readonly model: Pick<SessionConfigured, 'provider' | 'model' | 'baseUrl'>
  readonly signal: AbortSignal
  /** The complete conversation so far. */
  turns(): readonly LoggedTurn[]
}

/** The user's and the project's programs that run on certain events. */
export interface Hooks {
  /** Whether there is a hook for this event. */
  waitFor(event: HookEvent): boolean
  /**
   * Runs all hooks of an event at the same time. Rejects only with the signal's reason: the failure of a hook is reported in the answer.
   */
  run(moment: HookMoment, now: HooksNow): Promise<HookAnswer>
  /** Removes the files that were made for hooks. No hook runs afterwards. */
  close(): Promise<void>
}

import type { JsonValue, Usage } from '../../../shared/session/content.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import type { HookEvent, HookRun } from '../../../shared/session/hooks.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { LoggedTurn } from '../../../shared/session/turns.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'

type Arguments = { readonly [key: string]: JsonValue }

interface CallFacts {
  readonly toolCallId: ToolCallId
  /** Our name of the tool. */
  readonly toolName: string
  readonly args: Arguments
}

/** The facts that hooks get about an event. */
export type HookMoment =
  | ({ readonly event: 'PreToolUse' | 'PermissionRequest' } & CallFacts)
  | ({ readonly event: 'PostToolUse'; readonly output: string } & CallFacts)
  | { readonly event: 'UserPromptSubmit'; readonly prompt: string }
  /** `isContinued`: an earlier hook already made the agent continue. */
  | { readonly event: 'Stop' | 'SubagentStop'; readonly isContinued: boolean; readonly lastWords: string }
  /** `instructions`: what the person wants the summary to keep; empty: nothing special. */
  | { readonly event: 'PreCompact'; readonly trigger: 'manual' | 'auto'; readonly instructions: string }
  | { readonly event: 'SessionStart'; readonly source: 'startup' | 'resume' | 'compact' | 'fork' }
  /** `clear`: it is closed for good. */
  | { readonly event: 'SessionEnd'; readonly reason: 'clear' | 'other' }
  | { readonly event: 'Notification'; readonly message: string; readonly type: string }

/** The cost of one question to a model. `costUsd` null: the price is unknown. */
export interface HookCost {
  readonly usage: Usage
  readonly costUsd: number | null
}

/** What all hooks of a moment say together: `deny` beats `ask`, `ask` beats `allow`. */
export interface HookAnswer {
  readonly runs: readonly HookRun[]
  /** Runs that nothing waits for; never rejects. Null: none. */
  readonly later: Promise<readonly HookRun[]> | null
  /** Null: no hook decides. */
  readonly decision: 'deny' | 'ask' | 'allow' | null
  readonly reason: string
  /** Null: the arguments stay. */
  readonly updatedInput: Arguments | null
  /** What the model gets in place of a tool's result. Null: the result. */
  readonly updatedOutput: string | null
  /** What models that hooks asked have cost. */
  readonly spent: readonly HookCost[]
  /** A name for the session; empty: none. */
  readonly title: string
  /** Text for the model; empty: none. */
  readonly context: string
  /** Why the turn must end; null: it continues. */
  readonly stop: string | null
}

/** The facts that hooks get about the session. */
export interface HooksNow {
  readonly mode: ApprovalMode
  /** The model of the session. */
  readonly model: Pick<SessionConfigured, 'provider' | 'model' | 'baseUrl'>
  readonly signal: AbortSignal
  /** The whole conversation so far. */
  turns(): readonly LoggedTurn[]
}

/** The person's and the project's programs that run at certain moments. */
export interface Hooks {
  /** Whether any hook is for this event. */
  waitFor(event: HookEvent): boolean
  /** Runs the hooks of a moment at the same time. Rejects only with the signal's reason: a hook that fails is part of the answer. */
  run(moment: HookMoment, now: HooksNow): Promise<HookAnswer>
  /** Removes the files that were made for hooks. No hook runs after it. */
  close(): Promise<void>
}

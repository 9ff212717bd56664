import { Effort, Mode, ProviderName } from '../../shared/api/config-names.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { Effort as EffortLevel } from '../../shared/session/settings/effort.ts'
import type { SessionConfigured } from '../../shared/session/events.ts'
import { badOption } from './agent-error.ts'

/** What a session is told. `model` and `provider` are always known of a session; left out of the options they are the usual ones. */
export interface SessionConfig {
  readonly model: string
  /** `anthropic`, `openai`, `gemini`, `openai-compatible` or `rehearsal`. */
  readonly provider: string
  /** Rounds of tool calls for one request; 0: no limit, which is the default. */
  readonly maxToolRoundsPerInput?: number
  /** Answers in the whole session; 0: no limit, which is the default. */
  readonly maxTurns?: number
  /** Tokens; instead of what is known of the model. */
  readonly contextWindowSize?: number
  /** Characters of an output that the model gets, by the tool's name. */
  readonly toolOutputLimits?: Readonly<Record<string, number>>
  /** Lines, likewise. */
  readonly toolLineLimits?: Readonly<Record<string, number>>
  /** How many of the newest calls the loop detection looks at (10). */
  readonly loopDetectionWindow?: number
  /** Children of children count; 0: no subagents (1). */
  readonly maxSubagentDepth?: number
  /** Milliseconds that a command may take when its call names no limit. */
  readonly defaultCommandTimeout?: number
  /** The last layer of the prompt, which wins. */
  readonly userInstruction?: string
  readonly workingDirectory?: string
  readonly reasoningEffort?: EffortLevel
}

/** What all sessions of an agent are told alike. */
export type SessionLimits = Omit<SessionConfig, 'model' | 'provider' | 'reasoningEffort'>

/** How much passes without a signature, the strictest first. Control files and what lies outside the folder ask in every mode. */
export type ApprovalPolicy = ApprovalMode

/** What may be changed between two requests of a session, or be said when it begins. */
export interface SessionChange extends Partial<Pick<SessionConfig, 'model' | 'provider'>> {
  /** Null: the vendor's own. */
  readonly reasoningEffort?: EffortLevel | null
  readonly policy?: ApprovalPolicy
  readonly baseUrl?: string | null
}

/** A change in the app's own words. Throws an `AgentError` for a value that it cannot have. */
export function configured({ model, provider, reasoningEffort, policy, baseUrl }: SessionChange): Partial<SessionConfigured> {
  return {
    ...(model !== undefined && { model: named('model', model) }),
    ...(provider !== undefined && { provider: one('provider', ProviderName.options, provider) }),
    ...(reasoningEffort !== undefined && {
      effort: reasoningEffort === null ? null : one('reasoningEffort', Effort.unwrap().options, reasoningEffort),
    }),
    ...(policy !== undefined && { mode: one('policy', Mode.options, policy) }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl === null ? null : named('baseUrl', baseUrl) }),
  }
}

function one<T extends string>(name: string, values: readonly T[], given: unknown): T {
  const value = values.find((known) => known === given)
  if (value === undefined) throw badOption(`${name} cannot be ${JSON.stringify(given)}.`, `Take one of ${values.join(', ')}.`)
  return value
}

function named(name: string, given: unknown): string {
  if (typeof given === 'string' && given.trim() !== '') return given
  throw badOption(`${name} must be a text that is not empty.`, `Give ${name} as a string, or leave it out.`)
}

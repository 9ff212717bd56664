import { Effort, Mode, ProviderName } from '../../shared/api/setting-fields.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { Effort as EffortLevel } from '../../shared/session/settings/model-facts.ts'
import type { SessionConfigured } from '../../shared/session/events.ts'
import { badOption } from './agent-error.ts'

/** The configuration of a session. A session always has `model` and `provider`; the options may leave them to the defaults. */
export interface SessionConfig {
  readonly model: string
  /** `anthropic`, `openai`, `gemini`, `openai-compatible` or `rehearsal`. */
  readonly provider: string
  /** Rounds of tool calls for one request; 0: no limit, which is the default. */
  readonly maxToolRoundsPerInput?: number
  /** Answers in the whole session; 0: no limit, which is the default. */
  readonly maxTurns?: number
  /** Tokens; replaces the known size. */
  readonly contextWindowSize?: number
  /** Maximum characters of an output that the model gets, by tool name. */
  readonly toolOutputLimits?: Readonly<Record<string, number>>
  /** Maximum lines, by tool name. */
  readonly toolLineLimits?: Readonly<Record<string, number>>
  /** How many recent calls loop detection checks (10). */
  readonly loopDetectionWindow?: number
  /** How deep subagents may nest (1); 0: no subagents. */
  readonly maxSubagentDepth?: number
  /** Time limit in milliseconds for commands whose call sets none. */
  readonly defaultCommandTimeout?: number
  /** The last layer of the prompt; it overrides the others. */
  readonly userInstruction?: string
  readonly workingDirectory?: string
  readonly reasoningEffort?: EffortLevel
}

/** The part of the configuration that all sessions of an agent share. */
export type SessionLimits = Omit<SessionConfig, 'model' | 'provider' | 'reasoningEffort'>

/** What runs without a signature. Control files and paths outside the folder need one in every mode. */
export type ApprovalPolicy = ApprovalMode

/** What can be set when a session starts, and changed between two of its requests. */
export interface SessionChange extends Partial<Pick<SessionConfig, 'model' | 'provider'>> {
  /** Null: the vendor's default. */
  readonly reasoningEffort?: EffortLevel | null
  readonly policy?: ApprovalPolicy
  readonly baseUrl?: string | null
}

/** A change in the app's own form. Throws an `AgentError` for an invalid value. */
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
  throw badOption(`${name} must be a non-empty string.`, `Give ${name} as a string, or leave it out.`)
}

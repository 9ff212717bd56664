import { Effort, Mode, ProviderName } from '../../shared/api/setting-fields.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { Effort as EffortLevel } from '../../shared/session/settings/model-facts.ts'
import type { SessionConfigured } from '../../shared/session/events.ts'
import { badOption } from './agent-error.ts'

/** The configuration of a session. A session always has `model` and `provider`. The options may omit them to use the defaults. */
export interface SessionConfig {
  readonly model: string
  /** `anthropic`, `openai`, `gemini`, `openai-compatible` or `rehearsal`. */
  readonly provider: string
  /** Maximum number of rounds of tool calls for one user message. 0 means no limit and is the default. */
  readonly maxToolRoundsPerInput?: number
  /** Maximum number of answers in the complete session. 0 means no limit and is the default. */
  readonly maxTurns?: number
  /** Size of the context window in tokens. Replaces the known size. */
  readonly contextWindowSize?: number
  /** Maximum number of characters of an output that the model gets, by tool name. */
  readonly toolOutputLimits?: Readonly<Record<string, number>>
  /** Maximum number of lines, by tool name. */
  readonly toolLineLimits?: Readonly<Record<string, number>>
  /** Number of recent calls that loop detection checks. Default: 10. */
  readonly loopDetectionWindow?: number
  /** How deep subagents may be nested. Default: 1. 0 means no subagents. */
  readonly maxSubagentDepth?: number
  /** Time limit in milliseconds for commands whose call sets no limit. */
  readonly defaultCommandTimeout?: number
  /** The last layer of the prompt, which overrides the others. */
  readonly userInstruction?: string
  readonly workingDirectory?: string
  readonly reasoningEffort?: EffortLevel
}

/** The part of the configuration that all sessions of an agent share. */
export type SessionLimits = Omit<SessionConfig, 'model' | 'provider' | 'reasoningEffort'>

/** Which calls run without a signature. Control files and paths outside the folder need a signature in every mode. */
export type ApprovalPolicy = ApprovalMode

/** What can be set when a session starts. Later changes take effect with the next request to the model. */
export interface SessionChange extends Partial<Pick<SessionConfig, 'model' | 'provider'>> {
  /** Null for the vendor's default. */
  readonly reasoningEffort?: EffortLevel | null
  readonly policy?: ApprovalPolicy
  readonly baseUrl?: string | null
}

/** A configuration change in the app's own form. Throws an `AgentError` for an invalid value. */
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
  if (value === undefined) throw badOption(`${name} cannot be ${JSON.stringify(given)}.`, `Use one of ${values.join(', ')}.`)
  return value
}

function named(name: string, given: unknown): string {
  if (typeof given === 'string' && given.trim() !== '') return given
  throw badOption(`${name} must be a non-empty string.`, `Give ${name} as a string, or leave it out.`)
}

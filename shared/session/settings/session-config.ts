import { z } from 'zod'
import { PersonPrice } from './model-facts.ts'
import { RequestOptionsByProvider } from './request-options.ts'

/** A command's time limit in ms if nobody names one. */
export const DEFAULT_COMMAND_MS = 10_000
/** The longest time limit in ms that a call, a setting or a host may name. */
export const MAX_COMMAND_MS = 600_000

const Limits = z.record(z.string(), z.number().int().min(1)).readonly()

/** A session's configuration besides provider and model. What is left out comes from the settings, the profile or our defaults. */
export const SessionConfig = z.object({
  /** Rounds of calls per request; 0: no limit. */
  maxToolRoundsPerInput: z.number().int().min(0).optional(),
  /** Answers in the whole session; 0: no limit. */
  maxTurns: z.number().int().min(0).optional(),
  /** Tokens; overrides what is known about the model. */
  contextWindowSize: z.number().int().min(1).optional(),
  /** Maximum characters of an output for the model, by tool name. */
  toolOutputLimits: Limits.optional(),
  /** Maximum lines, likewise. */
  toolLineLimits: Limits.optional(),
  /** How many of the newest calls the loop detection examines. Default: 10. */
  loopDetectionWindow: z.number().int().min(2).max(1000).optional(),
  /** Depth of subagents; 0: none. Default: 1. */
  maxSubagentDepth: z.number().int().min(0).max(8).optional(),
  /** Ms. */
  defaultCommandTimeout: z.number().int().min(1).max(MAX_COMMAND_MS).optional(),
  /** Ms after the first failure of a request during which it is retried if the failure may be temporary; 0: two retries only. */
  retryForMs: z.number().int().min(0).max(3_600_000).optional(),
  /** The model's price; overrides what is known about it. */
  price: PersonPrice.optional(),
  /** Added to the requests of a provider: `{ anthropic: { autoCache: false } }`. */
  providerOptions: RequestOptionsByProvider.optional(),
  /** The last part of the prompt. */
  userInstruction: z.string().max(100_000).optional(),
})
export type SessionConfig = Readonly<z.infer<typeof SessionConfig>>

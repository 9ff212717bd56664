import { z } from 'zod'
import { PersonPrice } from './model-facts.ts'
import { RequestOptionsByProvider } from './request-options.ts'

/** Default time limit of a command in ms. */
export const DEFAULT_COMMAND_MS = 10_000
/** Maximum time limit in ms that a call, a setting or a host may set. */
export const MAX_COMMAND_MS = 600_000

const Limits = z.record(z.string(), z.number().int().min(1)).readonly()

/** A session's configuration without provider and model. What is left out comes from the settings, the profile or our defaults. */
export const SessionConfig = z.object({
  /** Maximum number of rounds of calls per request. 0 for no limit. */
  maxToolRoundsPerInput: z.number().int().min(0).optional(),
  /** Maximum number of answers in the session. 0 for no limit. */
  maxTurns: z.number().int().min(0).optional(),
  /** Size in tokens. Overrides what is known about the model. */
  contextWindowSize: z.number().int().min(1).optional(),
  /** Maximum number of characters of an output for the model, keyed by tool name. */
  toolOutputLimits: Limits.optional(),
  /** Maximum number of lines of an output for the model, keyed by tool name. */
  toolLineLimits: Limits.optional(),
  /** Number of newest calls that the loop detection examines. Default: 10. */
  loopDetectionWindow: z.number().int().min(2).max(1000).optional(),
  /** Maximum depth of subagents. 0 for none. Default: 1. */
  maxSubagentDepth: z.number().int().min(0).max(8).optional(),
  /** Time limit in ms. */
  defaultCommandTimeout: z.number().int().min(1).max(MAX_COMMAND_MS).optional(),
  /**
   * Time in ms after the first failure of a request, during which the request is retried if the failure may be temporary. 0 means only
   * two retries.
   */
  retryForMs: z.number().int().min(0).max(3_600_000).optional(),
  /** The model's price. Overrides what is known about the price. */
  price: PersonPrice.optional(),
  /** Options that are added to the requests of a provider: `{ anthropic: { autoCache: false } }`. */
  providerOptions: RequestOptionsByProvider.optional(),
  /** The last part of the prompt. */
  userInstruction: z.string().max(100_000).optional(),
})
export type SessionConfig = Readonly<z.infer<typeof SessionConfig>>

import { MAX_COMMAND_MS } from './command-time.ts'
import { z } from 'zod'
import { OwnPrice } from './model-facts.ts'
import { ProviderOptionsByProvider } from './provider-options.ts'

const Limits = z.record(z.string(), z.number().int().min(1)).readonly()

/**
 * What a session may be told beside its provider and its model, by the names of P2-08. What is left out is as the settings, the profile or the
 * requirements have it.
 */
export const SessionConfig = z.object({
  /** Rounds of calls for one request; 0: no limit. */
  maxToolRoundsPerInput: z.number().int().min(0).optional(),
  /** Answers in the whole session; 0: no limit (T-15). */
  maxTurns: z.number().int().min(0).optional(),
  /** Tokens; in place of what is known of the model. */
  contextWindowSize: z.number().int().min(1).optional(),
  /** Characters of an output that the model gets, by the tool's name (P3-08). */
  toolOutputLimits: Limits.optional(),
  /** Lines, likewise. */
  toolLineLimits: Limits.optional(),
  /** How many of the newest calls the loop detection looks at (S-16: 10). */
  loopDetectionWindow: z.number().int().min(2).max(1000).optional(),
  /** Children of children count; 0: no subagents (AC7.5: 1). */
  maxSubagentDepth: z.number().int().min(0).max(8).optional(),
  /** Milliseconds. */
  defaultCommandTimeout: z.number().int().min(1).max(MAX_COMMAND_MS).optional(),
  /** Milliseconds after the first failure of a request during which it is repeated where the failure may pass by itself; 0: two retries only. */
  retryForMs: z.number().int().min(0).max(3_600_000).optional(),
  /** What the model costs, in place of what is known of it. */
  price: OwnPrice.optional(),
  /** What is added to the requests of a provider (L-12): `{ anthropic: { autoCache: false } }`. */
  providerOptions: ProviderOptionsByProvider.optional(),
  /** The last layer of the prompt (S-33). */
  userInstruction: z.string().max(100_000).optional(),
})
export type SessionConfig = Readonly<z.infer<typeof SessionConfig>>

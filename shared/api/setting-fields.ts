import { MAX_COMMAND_MS } from '../session/settings/command-time.ts'
import { z } from 'zod'
import { OwnFacts } from '../session/settings/model-facts.ts'
import { ProviderOptionsByProvider } from '../session/settings/provider-options.ts'
import { Effort, Mode, ProviderName } from './config-names.ts'

/**
 * What can be set, once for the file, the contract and the page. Each field is judged alone, so that one bad value costs no other. Apart from
 * the contract: settings are read at every start, also where no contract is served.
 */
export const SettingFields = {
  theme: z.enum(['light', 'dark', 'system']),
  textSize: z.enum(['small', 'normal', 'large']),
  /** When a notification is shown while no window is in front: never, when a session needs its person, or also when a turn finishes. */
  notifications: z.enum(['off', 'needs', 'finished']),
  /** In which editor files are opened: `automatic`, `visual` ($VISUAL) or the id of one that was found (`app.editors`). */
  editor: z.string().min(1).max(40),
  provider: ProviderName,
  model: z.string().max(200),
  mode: Mode,
  effort: Effort,
  /** Rounds after which the desk asks whether to go on (D-43). */
  maxRounds: z.number().int().min(1).max(10_000),
  /** Milliseconds without a byte after which an answer counts as stalled and is asked for again (L-26). */
  idleLimitMs: z.number().int().min(1000).max(86_400_000),
  /** Milliseconds after the first failure of a request during which it is repeated where the failure may pass by itself; 0: two retries only (L-24). */
  retryForMs: z.number().int().min(0).max(3_600_000),
  /** Tokens that one turn may use up, its subagents included; 0: as many as it needs. Judged before each request. */
  turnBudgetTokens: z.number().int().min(0).max(1_000_000_000_000),
  /** US dollars that one turn may cost, its subagents included; 0: as much as it needs. A model without a known price is then not asked. */
  turnBudgetUsd: z.number().min(0).max(1_000_000),
  /** Tokens that a session may use up, its subagents included; 0: as many as it needs. Judged before each request. */
  budgetTokens: z.number().int().min(0).max(1_000_000_000_000),
  /** US dollars that a session may cost, its subagents included; 0: as much as it needs. A model without a known price is then not asked. */
  budgetUsd: z.number().min(0).max(1_000_000),
  /** Subagents that only read and may be at work at once in a session (D-53); of those that may write it is always one. */
  readingSubagents: z.number().int().min(1).max(16),
  /** Milliseconds that a command may run which names no limit itself; 0: what the model's family is used to (D-46). */
  commandLimitMs: z.number().int().min(0).max(MAX_COMMAND_MS),
  /** What every new session is told last, so that it overrides everything else. */
  userInstructions: z.string().max(20_000),
  /** By a project's real folder: variables that its commands get although they look like secrets (T-16); `*` stands for any characters. */
  allowVariables: z.record(z.string().max(4096), z.array(z.string().min(1).max(200)).max(100).readonly()).readonly(),
  /** What is added to the requests of a provider: beta headers, safety settings, grounding, members of the request. */
  providerOptions: ProviderOptionsByProvider,
  /** What the person knows of models, by `provider/model`. */
  modelFacts: z.record(z.string().max(300), OwnFacts).readonly(),
  baseUrls: z.partialRecord(ProviderName, z.string().max(500)).readonly(),
} as const

export type Settings = { readonly [K in keyof typeof SettingFields]: z.infer<(typeof SettingFields)[K]> }

import { MAX_COMMAND_MS } from '../session/settings/session-config.ts'
import { z } from 'zod'
import { PersonModelFacts, EFFORTS } from '../session/settings/model-facts.ts'
import { RequestOptionsByProvider } from '../session/settings/request-options.ts'
import { COURSES } from '../workflow/workflow.ts'
import { APPROVAL_MODES } from '../session/settings/approval-mode.ts'

// Separate from the contract: settings are read at every start, also without a contract.
export const ProviderName = z.enum(['anthropic', 'openai', 'gemini', 'openai-compatible', 'rehearsal'])

export const Mode = z.enum(APPROVAL_MODES)

export const CourseName = z.enum(COURSES)

export const Effort = z.enum(EFFORTS).nullable()

/**
 * All settings, defined once for the file, the contract and the page. Each field is validated separately, so that one bad value does not
 * affect others. Separate from the contract: settings are read at every start, also without a contract.
 */
export const SettingFields = {
  theme: z.enum(['light', 'dark', 'system']),
  textSize: z.enum(['small', 'normal', 'large']),
  /** When to show a notification while no window is in front: never, when a session needs its person, or also when a turn ends. */
  notifications: z.enum(['off', 'needs', 'finished']),
  /** The editor for files: `automatic`, `visual` ($VISUAL), or the id of one that was found (`app.editors`). */
  editor: z.string().min(1).max(40),
  /** The person's keys by the id of what they do; empty: none. What is not named has its usual key. */
  keys: z.record(z.string().max(40), z.string().max(40)).readonly(),
  provider: ProviderName,
  model: z.string().max(200),
  mode: Mode,
  /** The way that requests of new sessions take. */
  course: CourseName,
  /** A plan of one step that touches at most one file and runs nothing is executed without asking. */
  skipSmallPlans: z.boolean(),
  effort: Effort,
  /** Rounds after which the person is asked whether to continue. */
  maxRounds: z.number().int().min(1).max(10_000),
  /** Ms without a byte after which an answer counts as stalled and is requested again. */
  idleLimitMs: z.number().int().min(1000).max(86_400_000),
  /** Ms after the first failure of a request during which it is retried if the failure may be temporary; 0: two retries only. */
  retryForMs: z.number().int().min(0).max(3_600_000),
  /** Token limit of one turn, including its subagents; 0: none. Checked before each request. */
  turnBudgetTokens: z.number().int().min(0).max(1_000_000_000_000),
  /** Cost limit of one turn in US dollars, including its subagents; 0: none. Models without a known price are then not used. */
  turnBudgetUsd: z.number().min(0).max(1_000_000),
  /** Token limit of a session, including its subagents; 0: none. Checked before each request. */
  budgetTokens: z.number().int().min(0).max(1_000_000_000_000),
  /** Cost limit of a session in US dollars, including its subagents; 0: none. Models without a known price are then not used. */
  budgetUsd: z.number().min(0).max(1_000_000),
  /** Read-only subagents that may work at once in a session; as many that write in copies of their own. Of those that write in the folder itself one works at a time. */
  readingSubagents: z.number().int().min(1).max(16),
  /** Time limit in ms of a command whose call sets none; 0: the model profile's. */
  commandLimitMs: z.number().int().min(0).max(MAX_COMMAND_MS),
  /** Bytes on disk above which the storage page suggests what to delete; 0: no limit. */
  storageQuota: z.number().int().min(0).max(1_000_000_000_000_000),
  /** Instructions for every new session; they come last and override everything else. */
  userInstructions: z.string().max(20_000),
  /** By a project's real folder: variables passed to its commands although they look like secrets; `*` matches any characters. */
  allowVariables: z.record(z.string().max(4096), z.array(z.string().min(1).max(200)).max(100).readonly()).readonly(),
  /** Added to the requests of a provider: beta headers, safety settings, grounding, body members. */
  providerOptions: RequestOptionsByProvider,
  /** The person's own facts about models, by `provider/model`. */
  modelFacts: z.record(z.string().max(300), PersonModelFacts).readonly(),
  baseUrls: z.partialRecord(ProviderName, z.string().max(500)).readonly(),
} as const

export type Settings = { readonly [K in keyof typeof SettingFields]: z.infer<(typeof SettingFields)[K]> }

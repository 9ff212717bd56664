import { MAX_COMMAND_MS } from '../session/settings/session-config.ts'
import { z } from 'zod'
import { PersonModelFacts, EFFORTS } from '../session/settings/model-facts.ts'
import { RequestOptionsByProvider } from '../session/settings/request-options.ts'
import { COURSES } from '../workflow/workflow.ts'
import { APPROVAL_MODES } from '../session/settings/approval-mode.ts'

// The names are defined outside the contract, so that settings can be read at launch without loading the contract.
export const ProviderName = z.enum(['anthropic', 'openai', 'gemini', 'openai-compatible', 'rehearsal'])

export const Mode = z.enum(APPROVAL_MODES)

export const CourseName = z.enum(COURSES)

export const Effort = z.enum(EFFORTS).nullable()

/**
 * All settings, defined once for the file, the contract and the page. Each field is validated separately, so that one bad value does not
 * affect others. The fields are defined outside the contract, so that settings can be read at launch without loading the contract.
 */
export const SettingFields = {
  theme: z.enum(['light', 'dark', 'system']),
  textSize: z.enum(['small', 'normal', 'large']),
  /** When to show a notification while no window is in front: never, when a session needs the user, or also when a turn ends. */
  notifications: z.enum(['off', 'needs', 'finished']),
  /** What to do about new versions of the desktop app: install them when it quits, only tell the user, or do not look for them. */
  updates: z.enum(['install', 'tell', 'off']),
  /** The editor for files: `automatic`, `visual` ($VISUAL), or the id of an editor that was found (`app.editors`). */
  editor: z.string().min(1).max(40),
  /** The user's keys, keyed by action id. An empty value removes the key. An action that is not listed has its default key. */
  keys: z.record(z.string().max(40), z.string().max(40)).readonly(),
  provider: ProviderName,
  model: z.string().max(200),
  mode: Mode,
  /** The course of requests in new sessions. */
  course: CourseName,
  /**
   * In the course `plan`, whether a plan is executed without approval if it has one step, touches at most one file, runs nothing and adds
   * no dependencies.
   */
  skipSmallPlans: z.boolean(),
  effort: Effort,
  /** Number of rounds after which the user is asked whether to continue. */
  maxRounds: z.number().int().min(1).max(10_000),
  /** Time in ms without a byte after which an answer counts as stalled and is requested again. */
  idleLimitMs: z.number().int().min(1000).max(86_400_000),
  /**
   * Time in ms after the first failure of a request, during which the request is retried if the failure may be temporary. 0 means only
   * two retries.
   */
  retryForMs: z.number().int().min(0).max(3_600_000),
  /** Token limit of one turn, including its subagents. 0 for no limit. Checked before each request. */
  turnBudgetTokens: z.number().int().min(0).max(1_000_000_000_000),
  /**
   * Cost limit of one turn in US dollars, including its subagents. 0 for no limit. With a limit, models without a known price are not
   * used.
   */
  turnBudgetUsd: z.number().min(0).max(1_000_000),
  /** Token limit of a session, including its subagents. 0 for no limit. Checked before each request. */
  budgetTokens: z.number().int().min(0).max(1_000_000_000_000),
  /**
   * Cost limit of a session in US dollars, including its subagents. 0 for no limit. With a limit, models without a known price are not
   * used.
   */
  budgetUsd: z.number().min(0).max(1_000_000),
  /**
   * Maximum number of read-only subagents that work at once in a session. The same number of subagents may write in copies of their own
   * at once. Of the subagents that write in the folder itself, only one works at a time.
   */
  readingSubagents: z.number().int().min(1).max(16),
  /** Time limit in ms of a command whose call sets none. 0 for the limit of the model profile. */
  commandLimitMs: z.number().int().min(0).max(MAX_COMMAND_MS),
  /** Bytes on disk above which the storage page suggests what to delete. 0 for no limit. */
  storageQuota: z.number().int().min(0).max(1_000_000_000_000_000),
  /** Instructions for every new session. They come last and override everything else. */
  userInstructions: z.string().max(20_000),
  /**
   * Variables that are passed to a project's commands although they look like secrets, keyed by the project's real folder. `*` matches any
   * characters.
   */
  allowVariables: z.record(z.string().max(4096), z.array(z.string().min(1).max(200)).max(100).readonly()).readonly(),
  /** The command that checks what is brought into a project before it is signed, keyed by the project's real folder. */
  checkCommands: z.record(z.string().max(4096), z.string().min(1).max(10_000)).readonly(),
  /** Options that are added to the requests of a provider: beta headers, safety settings, grounding, body members. */
  providerOptions: RequestOptionsByProvider,
  /** The user's own facts about models, by `provider/model`. */
  modelFacts: z.record(z.string().max(300), PersonModelFacts).readonly(),
  baseUrls: z.partialRecord(ProviderName, z.string().max(500)).readonly(),
} as const

export type Settings = { readonly [K in keyof typeof SettingFields]: z.infer<(typeof SettingFields)[K]> }

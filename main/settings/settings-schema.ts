import { SettingFields, type Settings } from '../../shared/api/setting-fields.ts'

/** What counts where the file says nothing or nothing usable. `mode` asks before everything that has an effect (D-40); 30 rounds: D-43; 3 subagents: D-53; 5 min of silence: `STREAM_LIMITS`. */
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  textSize: 'normal',
  notifications: 'needs',
  editor: 'automatic',
  provider: 'anthropic',
  model: '',
  mode: 'ask',
  effort: null,
  maxRounds: 200,
  idleLimitMs: 300_000,
  retryForMs: 600_000,
  turnBudgetTokens: 0,
  turnBudgetUsd: 0,
  budgetTokens: 0,
  budgetUsd: 0,
  readingSubagents: 3,
  commandLimitMs: 0,
  userInstructions: '',
  allowVariables: {},
  providerOptions: {},
  modelFacts: {},
  baseUrls: {},
}

export type SettingsField = keyof Settings

export const isSettingsField = (name: string): name is SettingsField => Object.hasOwn(SettingFields, name)

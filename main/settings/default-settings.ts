import { SettingFields, type Settings } from '../../shared/api/setting-fields.ts'

/** The settings that apply if the file has no usable value. The mode `ask` asks the user before every effect. */
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  textSize: 'normal',
  notifications: 'needs',
  updates: 'install',
  editor: 'automatic',
  keys: {},
  provider: 'anthropic',
  model: '',
  mode: 'ask',
  course: 'plain',
  skipSmallPlans: false,
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
  storageQuota: 0,
  userInstructions: '',
  allowVariables: {},
  checkCommands: {},
  providerOptions: {},
  modelFacts: {},
  baseUrls: {},
}

export type SettingsField = keyof Settings

export const isSettingsField = (name: string): name is SettingsField => Object.hasOwn(SettingFields, name)

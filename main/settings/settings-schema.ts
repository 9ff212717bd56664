import { z } from 'zod'
import { Effort, Mode, ProviderName } from '../../shared/api/config-names.ts'
import type { Settings } from '../../shared/api/settings.ts'

/** Each field is judged alone, so that one bad value costs no other. Also what a person may write by hand. */
export const SETTINGS_FIELDS = {
  theme: z.enum(['light', 'dark', 'system']),
  textSize: z.enum(['small', 'normal', 'large']),
  provider: ProviderName,
  model: z.string().max(200),
  mode: Mode,
  effort: Effort,
  maxRounds: z.number().int().min(1).max(10_000),
  idleLimitMs: z.number().int().min(1000).max(86_400_000),
  budgetTokens: z.number().int().min(0).max(1_000_000_000_000),
  budgetUsd: z.number().min(0).max(1_000_000),
  commandLimitMs: z.number().int().min(0).max(600_000),
  allowVariables: z.record(z.string().max(4096), z.array(z.string().min(1).max(200)).max(100)),
  baseUrls: z.partialRecord(ProviderName, z.string().max(500)),
} satisfies { readonly [K in keyof Settings]: z.ZodType }

/** What counts where the file says nothing or nothing usable. `mode` asks before everything that has an effect (D-40); 30 rounds: D-43; 5 min of silence: `STREAM_LIMITS`. */
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  textSize: 'normal',
  provider: 'anthropic',
  model: '',
  mode: 'ask',
  effort: null,
  maxRounds: 30,
  idleLimitMs: 300_000,
  budgetTokens: 0,
  budgetUsd: 0,
  commandLimitMs: 0,
  allowVariables: {},
  baseUrls: {},
}

export type SettingsField = keyof Settings

export const isSettingsField = (name: string): name is SettingsField => Object.hasOwn(SETTINGS_FIELDS, name)

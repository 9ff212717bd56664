import { z } from 'zod'
import type { ProviderId } from '../session/content.ts'
import type { Effort as EffortLevel } from '../session/settings/model-facts.ts'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import { ProviderName, SettingFields, type Settings } from './setting-fields.ts'

/** Never contains the key itself. */
export interface ProviderFacts {
  readonly provider: ProviderId
  readonly label: string
  /** `optional`: none is set, and none is needed unless the server asks for one. */
  readonly key: 'set' | 'not_set' | 'optional' | 'not_needed'
  /** The last four characters of a key longer than eight. */
  readonly ending: string | null
  readonly keptIn: 'keychain' | 'memory' | 'environment' | null
  readonly baseUrl: string | null
  /** Whether this version supports it. */
  readonly available: boolean
  readonly models: readonly ModelFacts[]
  /** Where `models` comes from; null when there are none. */
  readonly modelList: ModelListDate | null
}

/** `service`: the service was asked at `atMs` (ms since 1970). `built-in`: the list of this version, checked at `atMs`. */
export interface ModelListDate {
  readonly source: 'service' | 'built-in'
  readonly atMs: number
}

export interface ModelFacts {
  readonly model: string
  readonly label: string
  /** Tokens; null: unknown. */
  readonly contextWindow: number | null
  /** The efforts the model accepts. Left out: unknown, so anything is sent. */
  readonly efforts?: readonly EffortLevel[]
  /** Null: unknown. */
  readonly price: ModelPrice | null
  /** The price of a request above `above` tokens. Left out: the same. */
  readonly longPrompt?: { readonly above: number; readonly price: ModelPrice }
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** No source names the prices of the cache: they follow from the input price. */
  readonly assumedCache?: true
  /** Cache writes kept for an hour. Left out: same as `cacheWrite`. */
  readonly cacheWriteHour?: number
}

/** A model server on this computer. */
export interface LocalServer {
  /** Its name, guessed from its port: "Ollama". */
  readonly label: string
  /** For `openai-compatible`, with `/v1`. */
  readonly baseUrl: string
  readonly models: readonly LocalModel[]
}

export interface LocalModel {
  readonly model: string
  /** Tokens; null: the server does not say. */
  readonly contextWindow: number | null
}

export interface SettingsState {
  readonly settings: Settings
  readonly providers: readonly ProviderFacts[]
  /** Parts of the settings file that could not be used, with their place. */
  readonly troubles: readonly Trouble[]
  /** Where new keys are stored; `memory`: until the app ends. */
  readonly keysKeptIn: 'keychain' | 'memory'
}

export type KeyTest = { readonly kind: 'works'; readonly ms: number } | { readonly kind: 'failed'; readonly trouble: Trouble }

/**
 * The result of testing and storing a key. `not_kept`: the previous key stays; `refused`: the service rejected this one; `untested`: the
 * service could not be asked; `unstored`: it was accepted but could not be stored.
 */
export type TriedKey =
  | { readonly kind: 'kept'; readonly ms: number }
  | { readonly kind: 'not_kept'; readonly why: 'refused' | 'untested' | 'unstored'; readonly trouble: Trouble }

/** Addresses are changed one at a time. */
const { baseUrls: _, ...fields } = SettingFields

export const settingsApi = {
  watch: stream({ input: z.object({}), item: items<SettingsState>() }),
  change: command({
    input: z
      .object({
        ...fields,
        /** Rejected with a reason if the provider cannot have this address; stored in normalized form. */
        baseUrl: z.object({ provider: ProviderName, url: z.string().max(500).nullable() }),
      })
      .partial(),
    output: returns<{ readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Tests a key with one small request and stores it if the service accepts it. `setKey` stores it without a test. */
  tryKey: command({ input: z.object({ provider: ProviderName, key: z.string().min(1).max(1000) }), output: returns<TriedKey>() }),
  /** Stores a key without a test; `null` removes it. Only this and `tryKey` may carry a key. */
  setKey: command({
    input: z.object({ provider: ProviderName, key: z.string().min(1).max(1000).nullable() }),
    output: returns<{ readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** One small request with the stored key. */
  testKey: command({ input: z.object({ provider: ProviderName }), output: returns<KeyTest>() }),
  /**
   * The model servers that currently answer on this computer; each is asked only for its list of models, without a key. To use one,
   * `change` provider, model and base URL.
   */
  localServers: command({ input: z.object({}), output: returns<readonly LocalServer[]>() }),
}

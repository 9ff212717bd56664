import { z } from 'zod'
import type { ProviderId } from '../session/content.ts'
import type { Effort as EffortLevel } from '../session/settings/model-facts.ts'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import { ProviderName, SettingFields, type Settings } from './setting-fields.ts'

/** The facts about a provider. They never contain its key. */
export interface ProviderFacts {
  readonly provider: ProviderId
  readonly label: string
  /**
   * `optional`: no key is set, and none is needed unless the server requires one. `pending`: unknown until the system's keychain is open.
   */
  readonly key: 'set' | 'not_set' | 'optional' | 'not_needed' | 'pending'
  /** The last four characters of a key, if it is longer than eight characters. */
  readonly ending: string | null
  readonly keptIn: 'keychain' | 'memory' | 'environment' | null
  readonly baseUrl: string | null
  /** Whether this version supports the provider. */
  readonly available: boolean
  readonly models: readonly ModelFacts[]
  /** The source and the date of the list in `models`. Null if there are no models. */
  readonly modelList: ModelListDate | null
}

/** `service`: the service was asked at `atMs` (ms since 1970). `built-in`: the list of this version, which was checked at `atMs`. */
export interface ModelListDate {
  readonly source: 'service' | 'built-in'
  readonly atMs: number
}

export interface ModelFacts {
  readonly model: string
  readonly label: string
  /** Size in tokens. Null if unknown. */
  readonly contextWindow: number | null
  /** The efforts that the model accepts. If left out, they are unknown, so any effort is sent. */
  readonly efforts?: readonly EffortLevel[]
  /** Null if unknown. */
  readonly price: ModelPrice | null
  /** The price of requests with more than `above` tokens. If left out, the price does not depend on the number of tokens. */
  readonly longPrompt?: { readonly above: number; readonly price: ModelPrice }
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** Set if no source states the prices of the cache, so that they are derived from the input price. */
  readonly assumedCache?: true
  /** Price of cache writes kept for an hour. If left out, it is the same as `cacheWrite`. */
  readonly cacheWriteHour?: number
}

/** A model server on this computer. */
export interface LocalServer {
  /** Name of the server, guessed from its port: "Ollama". */
  readonly label: string
  /** The base URL for `openai-compatible`, including `/v1`. */
  readonly baseUrl: string
  readonly models: readonly LocalModel[]
}

export interface LocalModel {
  readonly model: string
  /** Size in tokens. Null if the server does not report it. */
  readonly contextWindow: number | null
}

export interface SettingsState {
  readonly settings: Settings
  readonly providers: readonly ProviderFacts[]
  /** Problems found at the launch, and parts of the settings file that could not be used, with their position. */
  readonly troubles: readonly Trouble[]
  /** Where new keys are stored. `memory` means until the app ends, `pending` that the system's keychain has not opened yet. */
  readonly keysKeptIn: 'keychain' | 'memory' | 'pending'
}

export type KeyTest = { readonly kind: 'works'; readonly ms: number } | { readonly kind: 'failed'; readonly trouble: Trouble }

/**
 * The result of testing and storing a key. `not_kept`: the previous key is still used. `refused`: the service rejected the new key.
 * `untested`: the service could not be asked. `unstored`: the key was accepted but could not be stored.
 */
export type TriedKey =
  | { readonly kind: 'kept'; readonly ms: number }
  | { readonly kind: 'not_kept'; readonly why: 'refused' | 'untested' | 'unstored'; readonly trouble: Trouble }

/** The fields without the base URLs, which are changed one at a time. */
const { baseUrls: _, ...fields } = SettingFields

export const settingsApi = {
  watch: stream({ input: z.object({}), item: items<SettingsState>() }),
  change: command({
    input: z
      .object({
        ...fields,
        /** Rejected with a reason if the provider cannot have this address. Stored in normalized form. */
        baseUrl: z.object({ provider: ProviderName, url: z.string().max(500).nullable() }),
      })
      .partial(),
    output: returns<{ readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Tests a key with one small request and stores it if the service accepts it. `setKey` stores a key without a test. */
  tryKey: command({ input: z.object({ provider: ProviderName, key: z.string().min(1).max(1000) }), output: returns<TriedKey>() }),
  /** Stores a key without a test. `null` removes the key. Only this command and `tryKey` may contain a key. */
  setKey: command({
    input: z.object({ provider: ProviderName, key: z.string().min(1).max(1000).nullable() }),
    output: returns<{ readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Tests the stored key with one small request. */
  testKey: command({ input: z.object({ provider: ProviderName }), output: returns<KeyTest>() }),
  /**
   * The model servers that currently answer on this computer. Each is asked only for its list of models, without a key. To use a server,
   * `change` provider, model and base URL.
   */
  localServers: command({ input: z.object({}), output: returns<readonly LocalServer[]>() }),
}

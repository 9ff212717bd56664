import { z } from 'zod'
import type { ProviderId } from '../session/content.ts'
import type { Effort as EffortLevel } from '../session/settings/effort.ts'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import { ProviderName } from './config-names.ts'
import { SettingFields, type Settings } from './setting-fields.ts'

/** Never the key itself (D-56). */
export interface ProviderFacts {
  readonly provider: ProviderId
  readonly label: string
  /** `optional`: none is set, and none is wanted unless the server asks for one. */
  readonly key: 'set' | 'not_set' | 'optional' | 'not_needed'
  /** The last four characters of a key longer than eight. */
  readonly ending: string | null
  readonly keptIn: 'keychain' | 'memory' | 'environment' | null
  readonly baseUrl: string | null
  /** Whether this version can talk to it. */
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
  /** Tokens; null when unknown. */
  readonly contextWindow: number | null
  /** What the model takes as effort; left out: nobody knows, so that anything is sent. */
  readonly efforts?: readonly EffortLevel[]
  /** Null when unknown. */
  readonly price: ModelPrice | null
  /** What a request of more than `above` tokens costs instead; left out: the same. */
  readonly longPrompt?: { readonly above: number; readonly price: ModelPrice }
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** Writing what is kept for an hour; left out: as `cacheWrite`. */
  readonly cacheWriteHour?: number
}

/** A model server that runs on this computer. */
export interface LocalServer {
  /** What it is, as far as its port tells: "Ollama". */
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
  /** What of the settings file could not be used, with its place. */
  readonly troubles: readonly Trouble[]
  /** A new key is kept there; `memory` means until the app ends. */
  readonly keysKeptIn: 'keychain' | 'memory'
}

export type KeyTest = { readonly kind: 'works'; readonly ms: number } | { readonly kind: 'failed'; readonly trouble: Trouble }

/**
 * What became of a key that was to be tested and kept. `not_kept`: the key that was set before stands; `refused`: the service said no to
 * this one; `untested`: the service could not be asked; `unstored`: it was accepted and could not be kept.
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
        /** Refused with words when it is no address that the provider can have; kept in the provider's own form. */
        baseUrl: z.object({ provider: ProviderName, url: z.string().max(500).nullable() }),
      })
      .partial(),
    output: returns<{ readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Tests a key with one small request, and keeps it if the service accepts it. To keep it all the same is `setKey`. */
  tryKey: command({ input: z.object({ provider: ProviderName, key: z.string().min(1).max(1000) }), output: returns<TriedKey>() }),
  /** Keeps a key without a test; `null` removes it. This and `tryKey` are the requests that may carry a key (D-56). */
  setKey: command({
    input: z.object({ provider: ProviderName, key: z.string().min(1).max(1000).nullable() }),
    output: returns<{ readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** One small request to the service with the key that is set. */
  testKey: command({ input: z.object({ provider: ProviderName }), output: returns<KeyTest>() }),
  /**
   * The model servers that answer on this computer now; each is asked for its list of models, nothing else, and is given no key. To take one
   * is a `change` of provider, model and base URL.
   */
  localServers: command({ input: z.object({}), output: returns<readonly LocalServer[]>() }),
}

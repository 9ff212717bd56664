import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Settings } from '../../shared/api/setting-fields.ts'
import type { KeyTest, LocalServer, ProviderFacts, SettingsState, TriedKey } from '../../shared/api/settings.ts'
import { type Disposable, DisposableStore } from '../../shared/lib/disposable.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { checkBaseUrl, providerEntry } from '../providers/provider-registry.ts'
import { keyFlaw } from '../settings/environment-keys.ts'
import type { Secrets } from '../settings/secrets.ts'
import type { SettingsFile } from '../settings/settings-file.ts'
import { badUrl, withoutUndefined } from './session-configuration-change.ts'
import { latestValue } from './latest-value.ts'

export interface SettingsHandlerParts {
  readonly settings: SettingsFile
  readonly secrets: Secrets
  /** Problems found at the launch. If absent, there are none. */
  readonly atLaunch?: readonly Trouble[]
  readonly models: {
    /** What is known about each provider, in display order. Never contains a key. */
    facts(): readonly Omit<ProviderFacts, 'key' | 'ending' | 'keptIn'>[]
    /** Makes one small request with this key. Default: the stored key. */
    test(provider: ProviderId, key?: string): Promise<KeyTest>
    localServers(signal: AbortSignal): Promise<readonly LocalServer[]>
    /** Requests the model lists of services whose lists are old. Never rejects. */
    refreshLists(): Promise<void>
    onListed(listener: () => void): Disposable
  }
}

export function settingsHandlers(parts: SettingsHandlerParts): AppHandlers['settings'] {
  const { settings, secrets, models } = parts
  return {
    watch(_, { signal }) {
      void models.refreshLists()
      return latestValue(
        () => stateOf(parts),
        (changed) => onChange(parts, changed),
        signal,
      )
    },
    change: ({ baseUrl, ...fields }) => {
      const urls = baseUrl ? withUrl(settings.current().baseUrls, baseUrl.provider, baseUrl.url) : ok(null)
      if (!urls.ok) return outcome(urls)
      return outcome(settings.change({ ...withoutUndefined(fields), ...(urls.value && { baseUrls: urls.value }) }))
    },
    tryKey: ({ provider, key }) => tryKey(parts, provider, key.trim()),
    setKey: async ({ provider, key }) => outcome(key === null ? await secrets.clear(provider) : await secrets.set(provider, key)),
    testKey: ({ provider }) => models.test(provider),
    localServers: (_, { signal }) => models.localServers(signal),
  }
}

async function stateOf({ settings, secrets, models, atLaunch = [] }: SettingsHandlerParts): Promise<SettingsState> {
  const providers = models.facts().map(async (facts): Promise<ProviderFacts> => {
    const secret = await secrets.state(facts.provider)
    const use = providerEntry(facts.provider).key
    return { ...facts, ...secret, key: secret.key === 'not_set' || use === 'none' ? WITHOUT_KEY[use] : secret.key }
  })
  const facts = await Promise.all(providers)
  // Read last: a report that leaves after the answer to a change must contain this change.
  return {
    settings: settings.current(),
    providers: facts,
    troubles: [...atLaunch, ...settings.troubles()],
    keysKeptIn: secrets.newKeysKeptIn,
  }
}

const WITHOUT_KEY = { needed: 'not_set', optional: 'optional', none: 'not_needed' } as const

function onChange({ settings, secrets, models }: SettingsHandlerParts, changed: () => void): DisposableStore {
  const both = new DisposableStore()
  both.add(settings.onChange(changed))
  both.add(secrets.onChange(changed))
  both.add(secrets.onChange(() => void models.refreshLists()))
  both.add(models.onListed(changed))
  return both
}

function withUrl(urls: Settings['baseUrls'], provider: ProviderId, url: string | null): Result<Settings['baseUrls'], Trouble> {
  const { [provider]: _, ...others } = urls
  if (url === null) return ok(others)
  const checked = checkBaseUrl(provider, url)
  return checked.ok ? ok({ ...others, [provider]: checked.value }) : failed(badUrl(checked.failure))
}

/** Failure codes which mean that the service refused this key, not the request or the connection. */
const REFUSALS: ReadonlySet<string> = new Set(['authentication', 'access_denied'])

async function tryKey({ secrets, models }: SettingsHandlerParts, provider: ProviderId, key: string): Promise<TriedKey> {
  const flaw = keyFlaw(key)
  if (flaw) return { kind: 'not_kept', why: 'refused', trouble: flaw }
  const test = await models.test(provider, key)
  if (test.kind === 'failed')
    return { kind: 'not_kept', why: REFUSALS.has(test.trouble.code) ? 'refused' : 'untested', trouble: test.trouble }
  const kept = await secrets.set(provider, key)
  return kept.ok ? { kind: 'kept', ms: test.ms } : { kind: 'not_kept', why: 'unstored', trouble: kept.failure }
}

function outcome(result: Result<null, Trouble>): { readonly ok: true } | { readonly ok: false; readonly trouble: Trouble } {
  return result.ok ? { ok: true } : { ok: false, trouble: result.failure }
}

import type { AppHandlers } from '../../shared/api/contract.ts'
import type { KeyTest, ProviderFacts, Settings, SettingsState } from '../../shared/api/settings.ts'
import { DisposableStore } from '../../shared/lib/disposable.ts'
import type { Result } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Secrets } from '../settings/secrets.ts'
import type { SettingsFile } from '../settings/settings-file.ts'
import { given } from './given.ts'
import { latest } from './latest.ts'

export interface SettingsHandlerParts {
  readonly settings: SettingsFile
  readonly secrets: Secrets
  readonly models: {
    /** What is known of each provider, in the order in which they are shown; never a key. */
    facts(): readonly Omit<ProviderFacts, 'key' | 'ending' | 'keptIn'>[]
    /** One small request with the key that is set. */
    test(provider: ProviderId): Promise<KeyTest>
  }
}

export function settingsHandlers(parts: SettingsHandlerParts): AppHandlers['settings'] {
  const { settings, secrets, models } = parts
  return {
    watch: (_, { signal }) =>
      latest(
        () => stateOf(parts),
        (changed) => onChange(parts, changed),
        signal,
      ),
    change: ({ baseUrl, ...fields }) => {
      const baseUrls = baseUrl ? { baseUrls: withUrl(settings.current().baseUrls, baseUrl.provider, baseUrl.url) } : {}
      return outcome(settings.change({ ...given(fields), ...baseUrls }))
    },
    setKey: async ({ provider, key }) => outcome(key === null ? await secrets.clear(provider) : await secrets.set(provider, key)),
    testKey: ({ provider }) => models.test(provider),
  }
}

async function stateOf({ settings, secrets, models }: SettingsHandlerParts): Promise<SettingsState> {
  const providers = models.facts().map(async (facts): Promise<ProviderFacts> => {
    const secret = await secrets.state(facts.provider)
    return { ...facts, ...secret, key: facts.provider === 'rehearsal' ? 'not_needed' : secret.key }
  })
  return {
    settings: settings.current(),
    providers: await Promise.all(providers),
    troubles: settings.troubles(),
    keysKeptIn: secrets.newKeysKeptIn,
  }
}

function onChange({ settings, secrets }: SettingsHandlerParts, changed: () => void): DisposableStore {
  const both = new DisposableStore()
  both.add(settings.onChange(changed))
  both.add(secrets.onChange(changed))
  return both
}

function withUrl(urls: Settings['baseUrls'], provider: ProviderId, url: string | null): Settings['baseUrls'] {
  const { [provider]: _, ...others } = urls
  return url === null ? others : { ...others, [provider]: url }
}

function outcome(result: Result<null, Trouble>): { readonly ok: true } | { readonly ok: false; readonly trouble: Trouble } {
  return result.ok ? { ok: true } : { ok: false, trouble: result.failure }
}

import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { RequestOptions } from '../../shared/session/settings/request-options.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Provider, ProviderFailure } from '../agent/ports/provider.ts'
import type { OpenProvider } from './answer/stream-provider.ts'
import type { RemoteOptions } from './answer/wire-format.ts'
import { assertNever } from '../../shared/lib/assert-never.ts'
import { createAnthropic } from './anthropic/anthropic.ts'
import { failure } from './failures/failures.ts'
import { createGemini } from './gemini/gemini.ts'
import { STREAM_LIMITS, type StreamLimits } from './http/exchange.ts'
import type { Learned } from './catalogue/learned-from-refusals.ts'
import { createOpenAi } from './openai/openai.ts'
import { createOpenAiCompatible } from './openai-compatible/openai-compatible.ts'
import { checkBaseUrl, providerEntry } from './provider-registry.ts'
import { createRehearsalProvider } from './rehearsal/rehearsal-provider.ts'

export interface ProvidersParts {
  readonly clock: Clock
  /** The key; null if none is set. It is read only in order to send a request. */
  key(provider: ProviderId): Promise<string | null>
  readonly limits?: StreamLimits
  readonly learned?: Learned
  /** Returns what the user adds to a provider's requests. Called before each request. */
  readonly extra?: (provider: RemoteProviderId) => RequestOptions
  /** The environment with the proxy variables. If absent, no proxies are used. */
  readonly proxyEnv?: NodeJS.ProcessEnv
  /** Milliseconds between two events of a rehearsal's answers. */
  readonly rehearsalPaceMs?: number
}

/** The providers of this process, one per address. All sessions share a provider and its connections. */
export interface Providers {
  /**
   * If `baseUrl` is null, the provider's default address is used. A failure has the code `configuration`. Repeated calls return the same
   * provider.
   */
  get(provider: ProviderId, baseUrl: string | null): Result<Provider, ProviderFailure>
  /** Closes every connection, and the rehearsal's server if it was started. */
  close(): Promise<void>
}

export function createProviders(parts: ProvidersParts): Providers {
  const open = new Map<string, OpenProvider>()
  let rehearsal: ReturnType<typeof createRehearsalProvider> | null = null

  const at = (provider: RemoteProviderId, baseUrl: string): Provider => {
    const name = `${provider} ${baseUrl}`
    const known = open.get(name)
    if (known) return known
    const { clock, limits = STREAM_LIMITS, proxyEnv, learned, extra } = parts
    const { label } = providerEntry(provider)
    const made = createRemote(provider, {
      label,
      baseUrl,
      key: () => parts.key(provider),
      clock,
      limits,
      ...(proxyEnv ? { proxyEnv } : {}),
      ...(learned ? { learned } : {}),
      ...(extra ? { extra: () => extra(provider) } : {}),
    })
    open.set(name, made)
    return made
  }
  return {
    get(provider, baseUrl) {
      const { available, label, baseUrl: defaultUrl } = providerEntry(provider)
      if (!available) return failed(failure('configuration', `This version does not support ${label} yet.`))
      if (provider === 'rehearsal') return ok((rehearsal ??= createRehearsalProvider(parts.clock, parts.rehearsalPaceMs)))
      const address = baseUrl ?? defaultUrl
      if (address === null) return failed(failure('configuration', `${label}: no address is set.`, { cause: 'base_url' }))
      const checked = checkBaseUrl(provider, address)
      return checked.ok ? ok(at(provider, checked.value)) : failed(failure('configuration', checked.failure, { cause: 'base_url' }))
    },
    async close() {
      for (const provider of open.values()) provider.close()
      open.clear()
      await rehearsal?.close()
      rehearsal = null
    },
  }
}

/** Every provider except the rehearsal. */
export type RemoteProviderId = Exclude<ProviderId, 'rehearsal'>

/** The adapter of a provider. Loads nothing and makes no request before it is used. */
export function createRemote(provider: RemoteProviderId, options: RemoteOptions): OpenProvider {
  switch (provider) {
    case 'anthropic':
      return createAnthropic({ id: 'anthropic', ...options })
    case 'openai':
      return createOpenAi(options)
    case 'gemini':
      return createGemini(options)
    case 'openai-compatible':
      return createOpenAiCompatible(options)
    default:
      return assertNever(provider, 'provider')
  }
}

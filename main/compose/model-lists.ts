import type { Disposable } from '../../shared/lib/disposable.ts'
import { failed, type Result } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Clock } from '../agent/ports/clock.ts'
import { launchEnvironment } from '../environment/launch-environment.ts'
import { wrongKey } from '../providers/answer/wrong-request.ts'
import { failure } from '../providers/failures/failures.ts'
import type { LearnedStorage } from '../providers/catalogue/learned-from-refusals.ts'
import { requestListedModels } from '../providers/catalogue/request-listed-models.ts'
import { PROVIDERS, providerEntry } from '../providers/provider-registry.ts'
import { troubleOf } from '../providers/failures/trouble-of-failure.ts'
import { createVendorModels, type ModelList } from '../providers/catalogue/vendor-models.ts'

export interface ModelListsParts {
  readonly clock: Clock
  key(provider: ProviderId): Promise<string | null>
  /** Returns the provider's address. Null if none is set. */
  addressOf(provider: ProviderId): string | null
  readonly kept: LearnedStorage | undefined
}

/** Requests model lists from services. */
export interface AskedModels {
  /** Requests the list of models from a service now. */
  listModels(provider: ProviderId): Promise<Result<ModelList, Trouble>>
  /** Requests the list from every service that has a key and whose list is older than a day. Never rejects. */
  refreshLists(): Promise<void>
  /** Called when a service has listed its models. */
  onListed(listener: () => void): Disposable
}

export interface ModelLists {
  readonly asked: AskedModels
  /** Returns the newest list of a provider's service. Null if it was never requested. */
  known(provider: ProviderId): ModelList | null
  /** Aborts running requests. */
  close(): void
}

/** Requests the list of models from each service, with the key and address that are set. */
export function createModelLists({ clock, key, addressOf, kept }: ModelListsParts): ModelLists {
  const lists = createVendorModels(clock.now, kept)
  const closing = new AbortController()
  const serviceOf = (provider: ProviderId): string => `${provider} ${addressOf(provider) ?? ''}`
  const listOf = async (provider: ProviderId, isForced: boolean): Promise<Result<ModelList, Trouble>> => {
    const { label, key: wanted } = providerEntry(provider)
    const baseUrl = addressOf(provider)
    const because = { nowMs: clock.now() }
    if (provider === 'rehearsal' || baseUrl === null)
      return failed(troubleOf(failure('configuration', `${label}: no address is set.`, { cause: 'base_url' }), because))
    const secret = await key(provider)
    const wrong = wrongKey(secret, wanted === 'needed', label)
    if (wrong) return failed(troubleOf(wrong, because))
    const parts = { provider, label, baseUrl, key: secret ?? '', clock, proxyEnv: launchEnvironment() }
    const listed = await lists.ask(serviceOf(provider), () => requestListedModels(parts, closing.signal), isForced)
    return listed.ok ? listed : failed(troubleOf(listed.failure, because))
  }
  return {
    known: (provider) => lists.known(serviceOf(provider)),
    asked: {
      listModels: (provider) => listOf(provider, true),
      async refreshLists() {
        await Promise.all(PROVIDERS.filter(({ id }) => id !== 'rehearsal').map(({ id }) => listOf(id, false)))
      },
      onListed: lists.onChange,
    },
    close: () => closing.abort(),
  }
}

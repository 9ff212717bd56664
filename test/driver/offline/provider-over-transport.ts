import type { Transport } from '../../../main/providers/http/transport.ts'
import type { OpenProvider } from '../../../main/providers/answer/stream-provider.ts'
import { STREAM_LIMITS } from '../../../main/providers/http/exchange.ts'
import { createRemote, type RemoteProviderId } from '../../../main/providers/providers.ts'
import { checkBaseUrl, providerEntry } from '../../../main/providers/provider-registry.ts'
import { systemClock } from '../../../main/environment/system-clock.ts'

export type WireName = 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini'

/** The key that is used for requests that are not sent. */
export const OFFLINE_KEY = 'offline-key-0000'

const PROVIDER_OF: Readonly<Record<WireName, RemoteProviderId>> = {
  anthropic: 'anthropic',
  'openai-responses': 'openai',
  'openai-chat': 'openai-compatible',
  gemini: 'gemini',
}

export function providerOf(wire: WireName): RemoteProviderId {
  return PROVIDER_OF[wire]
}

/** The adapter of a wire format with a transport that replaces the network. Everything else is the same as for real requests. */
export function providerOverTransport(transport: Transport, wire: WireName, baseUrl: string | null): OpenProvider {
  const id = providerOf(wire)
  const { label, baseUrl: defaultUrl } = providerEntry(id)
  const key = (): Promise<string> => Promise.resolve(OFFLINE_KEY)
  const given = baseUrl ?? defaultUrl ?? 'http://127.0.0.1:8080/v1'
  const checked = checkBaseUrl(id, given)
  const address = checked.ok ? checked.value : given
  return createRemote(id, { label, baseUrl: address, key, clock: systemClock, limits: STREAM_LIMITS, transport })
}

import type { BaseAnthropic } from '@anthropic-ai/sdk/client'
import type { Transport } from '../http/transport.ts'

/** Disables the SDK's own timeout, in ms; ours applies. */
const NEVER = 2 ** 31 - 1

/** Loads the official SDK. Only this export is used, so that the bundle omits the rest. */
export async function loadSdk(): Promise<typeof BaseAnthropic> {
  return (await import('@anthropic-ai/sdk/client')).BaseAnthropic
}

/**
 * The SDK's client for a key, created lazily and kept while the key stays the same. It is the base client without resources, which would add
 * 12 ms to every start. It never retries, traces or logs.
 */
export function clientPerKey(baseURL: string, fetch: Transport['fetch']): (key: string) => Promise<BaseAnthropic> {
  let kept: { readonly key: string; readonly client: BaseAnthropic } | null = null
  return async (key) => {
    if (kept?.key === key) return kept.client
    const Sdk = await loadSdk()
    const client = new Sdk({
      apiKey: key,
      baseURL,
      fetch,
      maxRetries: 0,
      timeout: NEVER,
      logLevel: 'off',
      openTelemetry: false,
      // In addition to the SDK's Authorization header: gateways read either, the service prefers this one.
      defaultHeaders: { 'x-api-key': key },
    })
    kept = { key, client }
    return client
  }
}

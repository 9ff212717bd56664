import type { BaseAnthropic } from '@anthropic-ai/sdk/client'
import type { Transport } from '../http/transport.ts'

/** Milliseconds: the SDK's own limit is out of the way, ours holds. */
const NEVER = 2 ** 31 - 1

/** The official SDK, when first asked for. Taken out of its module here, so that the bundle leaves the rest of that away. */
export async function loadSdk(): Promise<typeof BaseAnthropic> {
  return (await import('@anthropic-ai/sdk/client')).BaseAnthropic
}

/**
 * The SDK's client for a key, made when first asked for and kept while the key stays the same. It is the bare client, without its
 * resources, which would cost 12 ms at every start; it never retries (L-25), traces or writes to the console.
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
      // Besides the SDK's own Authorization: gateways read either, the service prefers this one (L-20).
      defaultHeaders: { 'x-api-key': key },
    })
    kept = { key, client }
    return client
  }
}

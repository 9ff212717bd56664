import type { OpenAI } from 'openai/client'
import type { Transport } from '../http/transport.ts'

/** Milliseconds: the SDK's own limit is out of the way, ours holds. */
const NEVER = 2 ** 31 - 1
/** Stands where the SDK wants a key and the server does not; it is not sent. */
const NO_KEY = 'none'

export interface ClientOptions {
  readonly baseURL: string
  readonly fetch: Transport['fetch']
  /** Whether requests carry the organization and project from the environment: only to OpenAI itself. */
  readonly isOpenAi: boolean
}

/** Loads the official SDK. Only this export is used, so that the bundle omits the rest. */
export async function loadSdk(): Promise<typeof OpenAI> {
  return (await import('openai/client')).OpenAI
}

/** The SDK's client for a key, made when first asked for and kept while the key stays the same. It never retries or logs. */
export function clientPerKey({ baseURL, fetch, isOpenAi }: ClientOptions): (key: string) => Promise<OpenAI> {
  let kept: { readonly key: string; readonly client: OpenAI } | null = null
  return async (key) => {
    if (kept?.key === key) return kept.client
    const Sdk = await loadSdk()
    const client = new Sdk({
      apiKey: key || NO_KEY,
      // Else the SDK takes one from the environment and sends it along.
      adminAPIKey: null,
      webhookSecret: null,
      baseURL,
      fetch,
      maxRetries: 0,
      timeout: NEVER,
      logLevel: 'off',
      ...(isOpenAi ? {} : { organization: null, project: null }),
      ...(key ? {} : { defaultHeaders: { authorization: null } }),
    })
    kept = { key, client }
    return client
  }
}

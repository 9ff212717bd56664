import type { OpenAI } from 'openai/client'
import type { Transport } from '../http/transport.ts'

/** Disables the SDK's own timeout, in ms; ours applies. */
const NEVER = 2 ** 31 - 1
/** The SDK requires a key even if the server needs none; this one is not sent. */
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

/** The SDK's client for a key, created lazily and kept while the key stays the same. It never retries or logs. */
export function clientPerKey({ baseURL, fetch, isOpenAi }: ClientOptions): (key: string) => Promise<OpenAI> {
  let kept: { readonly key: string; readonly client: OpenAI } | null = null
  return async (key) => {
    if (kept?.key === key) return kept.client
    const Sdk = await loadSdk()
    const client = new Sdk({
      apiKey: key || NO_KEY,
      // Otherwise the SDK reads one from the environment and sends it.
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

import type { OpenAI } from 'openai/client'
import type { Transport } from '../http/transport.ts'

/** Disables the SDK's own timeout (ms), because our timeout applies. */
const NEVER = 2 ** 31 - 1
/** The SDK requires a key even if the server needs none. This placeholder is not sent. */
const NO_KEY = 'none'

export interface ClientOptions {
  readonly baseURL: string
  readonly fetch: Transport['fetch']
  /** Whether the service is OpenAI itself. Only then do requests contain the organization and project from the environment. */
  readonly isOpenAi: boolean
}

/** Loads the official SDK. Only this export is used, so that the bundle omits the rest. */
export async function loadSdk(): Promise<typeof OpenAI> {
  return (await import('openai/client')).OpenAI
}

/** The SDK's client for a key, created lazily and kept until the key changes. It never retries or logs. */
export function clientPerKey({ baseURL, fetch, isOpenAi }: ClientOptions): (key: string) => Promise<OpenAI> {
  let kept: { readonly key: string; readonly client: OpenAI } | null = null
  return async (key) => {
    if (kept?.key === key) return kept.client
    const Sdk = await loadSdk()
    const client = new Sdk({
      apiKey: key || NO_KEY,
      // Without this, the SDK would read an admin key from the environment and send it.
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

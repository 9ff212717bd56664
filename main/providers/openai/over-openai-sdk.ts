import type { OpenAI } from 'openai/client'
import type { AnswerReader } from '../answer/answer-reader.ts'
import { createStreamProvider, type OpenProvider } from '../answer/stream-provider.ts'
import type { RemoteOptions } from '../answer/wire-format.ts'
import type { BodyFormat } from '../body/body-format.ts'
import { startOf } from '../body/body-overrides.ts'
import { createBodyWriter } from '../body/body-writer.ts'
import { clientPerKey } from '../http/client-per-key.ts'
import { placeholderBody } from '../http/placeholder-body.ts'
import type { Transport } from '../http/transport.ts'

/** Disables the SDK's own timeout (ms), because our timeout applies. */
const NEVER = 2 ** 31 - 1
/** The SDK requires a key even if the server needs none. This placeholder is not sent. */
const NO_KEY = 'none'

/** One of the two APIs of OpenAI. */
export interface OpenAiApi {
  readonly id: 'openai' | 'openai-compatible'
  readonly needsKey: boolean
  /** Below the base URL. */
  readonly path: string
  readonly body: BodyFormat
  readonly reader: () => AnswerReader
}

/** A provider through OpenAI's official SDK, which is loaded with the first request. The base URL includes `/v1`. */
export function overOpenAiSdk(options: RemoteOptions, { id, needsKey, path, body, reader }: OpenAiApi): OpenProvider {
  return createStreamProvider(options, (transport) => {
    const write = createBodyWriter(body)
    const clientFor = clientPerKey((key) => createClient(key, options.baseUrl, transport.fetch, id === 'openai'))
    return {
      id,
      needsKey,
      load: loadSdk,
      bodyStart: (request) => startOf(write(request), body.tail),
      async send({ request, headers: more }, key, signal) {
        const client = await clientFor(key)
        signal.throwIfAborted()
        const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...more }
        return client.post(path, { body: placeholderBody(write(request)), headers, signal }).asResponse()
      },
      reader,
    }
  })
}

/** Loads the official SDK. Only this export is used, so that the bundle omits the rest. */
async function loadSdk(): Promise<typeof OpenAI> {
  return (await import('openai/client')).OpenAI
}

/** A client that never retries or logs. Only requests to OpenAI itself contain the organization and project from the environment. */
async function createClient(key: string, baseURL: string, fetch: Transport['fetch'], isOpenAi: boolean): Promise<OpenAI> {
  const Sdk = await loadSdk()
  return new Sdk({
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
}

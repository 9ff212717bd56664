import type { ProviderId } from '../../../shared/session/content.ts'
import { createStreamProvider, type OpenProvider } from '../answer/stream-provider.ts'
import type { RemoteOptions } from '../answer/wire-format.ts'
import { startOf } from '../body/body-overrides.ts'
import { createBodyWriter } from '../body/body-writer.ts'
import { clientPerKey } from '../http/client-per-key.ts'
import { placeholderBody } from '../http/placeholder-body.ts'
import { AnthropicAnswer } from './anthropic-answer.ts'
import { anthropicBody } from './anthropic-body.ts'
import type { BaseAnthropic } from '@anthropic-ai/sdk/client'
import type { Transport } from '../http/transport.ts'

export interface AnthropicOptions extends RemoteOptions {
  /** The provider id of the turns in the log. The rehearsal uses the same format as Anthropic. */
  readonly id: Extract<ProviderId, 'anthropic' | 'rehearsal'>
}

/** Anthropic's Messages API through the official SDK, which is loaded with the first request. The base URL does not include `/v1`. */
export function createAnthropic({ id, ...options }: AnthropicOptions): OpenProvider {
  return createStreamProvider(options, (transport) => {
    const write = createBodyWriter(anthropicBody(id))
    const clientFor = clientPerKey((key) => createClient(key, options.baseUrl, transport.fetch))
    return {
      id,
      needsKey: true,
      load: loadSdk,
      bodyStart: (request) => startOf(write(request), ']}'),
      async send({ request, headers: more }, key, signal) {
        const client = await clientFor(key)
        signal.throwIfAborted()
        // The SDK passes a body of bytes on unchanged. If the body were an object, the SDK would serialize the complete history for each
        // request.
        const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...more }
        return client.post('/v1/messages', { body: placeholderBody(write(request)), headers, signal }).asResponse()
      },
      reader: () => new AnthropicAnswer(),
    }
  })
}

/** Disables the SDK's own timeout (ms), because our timeout applies. */
const NEVER = 2 ** 31 - 1

/** Loads the official SDK. Only this export is used, so that the bundle omits the rest. */
async function loadSdk(): Promise<typeof BaseAnthropic> {
  return (await import('@anthropic-ai/sdk/client')).BaseAnthropic
}

/** The SDK's base client without resources, because they would add 12 ms to every launch. It never retries, traces or logs. */
async function createClient(key: string, baseURL: string, fetch: Transport['fetch']): Promise<BaseAnthropic> {
  const Sdk = await loadSdk()
  return new Sdk({
    apiKey: key,
    baseURL,
    fetch,
    maxRetries: 0,
    timeout: NEVER,
    logLevel: 'off',
    openTelemetry: false,
    // Sent in addition to the SDK's Authorization header, because some gateways read only one of the two. The service itself prefers
    // `x-api-key`.
    defaultHeaders: { 'x-api-key': key },
  })
}

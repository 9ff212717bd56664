import type { ProviderId } from '../../../shared/session/content.ts'
import { createStreamProvider, type OpenProvider } from '../answer/stream-provider.ts'
import type { RemoteOptions } from '../answer/wire-format.ts'
import { startOf } from '../body/body-shape.ts'
import { createBodyWriter } from '../body/body-writer.ts'
import { sealBody } from '../http/sealed-body.ts'
import { AnthropicAnswer } from './anthropic-answer.ts'
import { anthropicBody } from './anthropic-body.ts'
import { clientPerKey, loadSdk } from './client.ts'

export interface AnthropicOptions extends RemoteOptions {
  /** The provider id of the turns in the log. The rehearsal uses the same format. */
  readonly id: Extract<ProviderId, 'anthropic' | 'rehearsal'>
}

/** Anthropic's Messages API over its official SDK, which is loaded with the first request. Base URL without `/v1`. */
export function createAnthropic({ id, ...options }: AnthropicOptions): OpenProvider {
  return createStreamProvider(options, (transport) => {
    const write = createBodyWriter(anthropicBody(id))
    const clientFor = clientPerKey(options.baseUrl, transport.fetch)
    return {
      id,
      needsKey: true,
      load: loadSdk,
      bodyStart: (request) => startOf(write(request), ']}'),
      async send({ request, headers: more }, key, signal) {
        const client = await clientFor(key)
        signal.throwIfAborted()
        // The SDK passes finished bytes on unchanged; otherwise it would serialize the whole history for each request.
        const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...more }
        return client.post('/v1/messages', { body: sealBody(write(request)), headers, signal }).asResponse()
      },
      reader: () => new AnthropicAnswer(),
    }
  })
}

import { createStreamProvider, type OpenProvider } from '../answer/stream-provider.ts'
import type { RemoteOptions } from '../answer/wire-format.ts'
import { startOf } from '../body/body-overrides.ts'
import { createBodyWriter } from '../body/body-writer.ts'
import { placeholderBody } from '../http/placeholder-body.ts'
import { clientPerKey, loadSdk } from './sdk-client.ts'
import { ResponsesAnswer } from './responses-answer.ts'
import { responsesBody } from './responses-body.ts'

/** OpenAI's Responses API through its official SDK, which is loaded with the first request. The base URL includes `/v1`. */
export function createOpenAi(options: RemoteOptions): OpenProvider {
  return createStreamProvider(options, (transport) => {
    const write = createBodyWriter(responsesBody)
    const clientFor = clientPerKey({ baseURL: options.baseUrl, fetch: transport.fetch, isOpenAi: true })
    return {
      id: 'openai',
      needsKey: true,
      load: loadSdk,
      bodyStart: (request) => startOf(write(request), responsesBody.tail),
      async send({ request, headers: more }, key, signal) {
        const client = await clientFor(key)
        signal.throwIfAborted()
        const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...more }
        return client.post('/responses', { body: placeholderBody(write(request)), headers, signal }).asResponse()
      },
      reader: () => new ResponsesAnswer(),
    }
  })
}

import { createStreamProvider, type OpenProvider, type RemoteOptions } from '../answer/stream-provider.ts'
import { createBodyWriter } from '../body/body-writer.ts'
import { sealBody } from '../http/sealed-body.ts'
import { clientPerKey, loadSdk } from './client.ts'
import { ResponsesAnswer } from './responses-answer.ts'
import { responsesBody } from './responses-body.ts'

/** OpenAI's Responses API over its official SDK, which is imported with the first request. Base URL with `/v1` (D-49). */
export function createOpenAi(options: RemoteOptions): OpenProvider {
  return createStreamProvider(options, (transport) => {
    const write = createBodyWriter(responsesBody)
    const clientFor = clientPerKey({ baseURL: options.baseUrl, fetch: transport.fetch, isOpenAi: true })
    return {
      id: 'openai',
      needsKey: true,
      load: loadSdk,
      async send(request, key, signal) {
        const client = await clientFor(key)
        signal.throwIfAborted()
        const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
        return client.post('/responses', { body: sealBody(write(request)), headers, signal }).asResponse()
      },
      reader: () => new ResponsesAnswer(),
    }
  })
}

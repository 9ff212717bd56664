import { createStreamProvider, type OpenProvider } from '../answer/stream-provider.ts'
import type { RemoteOptions } from '../answer/wire-format.ts'
import { startOf } from '../body/body-overrides.ts'
import { createBodyWriter } from '../body/body-writer.ts'
import { placeholderBody } from '../http/placeholder-body.ts'
import { clientPerKey, loadSdk } from '../openai/sdk-client.ts'
import { ChatAnswer } from './chat-answer.ts'
import { chatBody } from './chat-body.ts'

/**
 * Chat Completions through OpenAI's official SDK, for Ollama, llama.cpp, LM Studio, vLLM, OpenRouter and others. The base URL includes
 * `/v1`. A key is sent only if the server needs one.
 */
export function createOpenAiCompatible(options: RemoteOptions): OpenProvider {
  return createStreamProvider(options, (transport) => {
    const write = createBodyWriter(chatBody)
    const clientFor = clientPerKey({ baseURL: options.baseUrl, fetch: transport.fetch, isOpenAi: false })
    return {
      id: 'openai-compatible',
      needsKey: false,
      load: loadSdk,
      bodyStart: (request) => startOf(write(request), chatBody.tail),
      async send({ request, headers: more }, key, signal) {
        const client = await clientFor(key)
        signal.throwIfAborted()
        const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...more }
        return client.post('/chat/completions', { body: placeholderBody(write(request)), headers, signal }).asResponse()
      },
      reader: () => new ChatAnswer(),
    }
  })
}

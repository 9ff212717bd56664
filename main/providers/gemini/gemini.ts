import { createStreamProvider, type OpenProvider } from '../answer/stream-provider.ts'
import type { RemoteOptions } from '../answer/wire-format.ts'
import { startOf } from '../body/body-overrides.ts'
import { createBodyWriter } from '../body/body-writer.ts'
import { placeholderBody } from '../http/placeholder-body.ts'
import { clientPerKey } from '../http/client-per-key.ts'
import { askStream, createClient, loadSdk } from './sdk-client.ts'
import { GeminiAnswer } from './gemini-answer.ts'
import { geminiBody } from './gemini-body.ts'

/**
 * Gemini's `streamGenerateContent` through Google's official SDK, which is loaded with the first request. The base URL consists of the
 * origin only.
 */
export function createGemini(options: RemoteOptions): OpenProvider {
  return createStreamProvider(options, (transport) => {
    const write = createBodyWriter(geminiBody)
    const clientFor = clientPerKey((key) => createClient(key, options.baseUrl))
    return {
      id: 'gemini',
      needsKey: true,
      load: loadSdk,
      bodyStart: (request) => startOf(write(request), geminiBody.tail),
      async send({ request, headers }, key, signal) {
        const client = await clientFor(key)
        signal.throwIfAborted()
        return askStream(client, transport, { model: request.model, body: placeholderBody(write(request)), headers, signal })
      },
      reader: () => new GeminiAnswer(),
    }
  })
}

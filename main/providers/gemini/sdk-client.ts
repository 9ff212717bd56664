import type { GoogleGenAI } from '@google/genai'
import { PlainHeaders } from '../http/plain-headers.ts'
import type { Transport } from '../http/transport.ts'

/** Loads the official SDK. Only this export is used, so that the bundle omits the rest. */
export async function loadSdk(): Promise<typeof GoogleGenAI> {
  return (await import('@google/genai')).GoogleGenAI
}

/** A client that never retries. */
export async function createClient(apiKey: string, baseUrl: string): Promise<GoogleGenAI> {
  const Sdk = await loadSdk()
  return new Sdk({ apiKey, vertexai: false, apiVersion: 'v1beta', httpOptions: { baseUrl } })
}

/**
 * The error for a refused request, in the form that the other SDKs throw. Google's own error class has no headers and no separate details.
 */
class RefusedResponse extends Error {
  readonly status: number
  readonly headers: PlainHeaders
  readonly error: unknown

  constructor(response: Response, text: string, error: unknown) {
    super(text)
    this.status = response.status
    this.headers = new PlainHeaders(response.headers.entries())
    this.error = error
  }
}

export interface Asked {
  readonly model: string
  readonly body: Uint8Array<ArrayBuffer>
  /** Headers that the user added. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * Sends a finished body through the SDK, which adds the address, the headers and the key. Resolves to the response before the SDK reads
 * it, because the SDK's stream reader drops events that we need. Rejects as `WireFormat.send` does.
 */
export async function askStream(client: GoogleGenAI, transport: Transport, { model, body, headers, signal }: Asked): Promise<Response> {
  const { promise: answered, resolve } = Promise.withResolvers<Response>()
  const fetch: Transport['fetch'] = async (url, init) => {
    const response = await transport.fetch(url, { ...init, body })
    if (!response.ok) {
      const text = await response.text()
      throw new RefusedResponse(response, text, parsed(text))
    }
    resolve(response)
    return response
  }
  // The SDK does not have to serialize the body: the finished bytes replace it.
  await client.models.generateContentStream({
    model,
    contents: '-',
    config: { abortSignal: signal, httpOptions: { fetch, headers: { ...headers } } },
  })
  return answered
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

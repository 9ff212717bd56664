import type { PlainHeaders } from './plain-headers.ts'

/** What an SDK asks of a response whose body it does not read as a stream; without Node's own class for the reason of `PlainHeaders`. */
class PlainResponse {
  readonly status: number
  readonly headers: PlainHeaders
  readonly body = null
  readonly #text: string

  constructor(status: number, headers: PlainHeaders, text: string) {
    this.status = status
    this.headers = headers
    this.#text = text
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  text(): Promise<string> {
    return Promise.resolve(this.#text)
  }
}

/** A response with these headers and, where the SDK is to read it, this text. */
export function plainResponse(status: number, headers: PlainHeaders, text = ''): Response {
  // The SDKs' types ask for the whole of the web's interface; their code asks for no more than this.
  return new PlainResponse(status, headers, text) as unknown as Response
}

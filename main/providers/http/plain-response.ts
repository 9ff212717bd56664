import type { PlainHeaders } from './plain-headers.ts'

/**
 * The part of `Response` that an SDK needs if it does not read the body as a stream. Node's class is not used, for the same reason as in
 * `PlainHeaders`.
 *
 * @public `rolldown.config.ts` imports it into an SDK.
 */
export class PlainResponse {
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

/** A response with these headers. `text` is for responses whose body the SDK reads. */
export function plainResponse(status: number, headers: PlainHeaders, text = ''): Response {
  // The SDKs' types require the complete web interface, but their code uses only these members.
  return new PlainResponse(status, headers, text) as unknown as Response
}

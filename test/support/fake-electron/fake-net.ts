import { type ClientRequest as NodeRequest, request } from 'node:http'
import type { ClientRequest, ClientRequestConstructorOptions, Net } from 'electron'
import { FakeEmitter } from './emitter.ts'
import type { FakeSession } from './fake-session.ts'
import { Strict } from './strict.ts'

type Known = Pick<ClientRequest, 'abort'>

/** A request of Electron's network stack, over Node's. As in Electron, it passes the session's web request listener. */
class FakeClientRequest extends FakeEmitter implements Known {
  readonly #options: ClientRequestConstructorOptions
  readonly #session: FakeSession
  #request: NodeRequest | null = null

  constructor(options: ClientRequestConstructorOptions, session: FakeSession) {
    super()
    this.#options = options
    this.#session = session
  }

  end(): this {
    const { protocol = 'https:', hostname = 'localhost', port, path = '/' } = this.#options
    const url = `${protocol}//${hostname}${port === undefined || port === null ? '' : `:${port}`}${path}`
    const start = (cancel: boolean): void => {
      if (cancel || protocol !== 'http:') return void this.emit('error', new Error('net::ERR_BLOCKED_BY_CLIENT'))
      const sent = request(url, { headers: this.#options.headers })
      sent.on('response', (response) => this.emit('response', response))
      sent.on('error', (error) => this.emit('error', error))
      sent.end()
      this.#request = sent
    }
    const { listener } = this.#session.webRequest
    if (listener === null) start(false)
    else listener({ url }, ({ cancel }) => start(cancel ?? false))
    return this
  }

  abort(): void {
    this.#request?.destroy()
    this.emit('abort')
  }
}

export class FakeNet extends Strict {
  readonly #defaultSession: () => FakeSession

  constructor(defaultSession: () => FakeSession) {
    super()
    this.#defaultSession = defaultSession
  }

  request(options: Parameters<Net['request']>[0]): FakeClientRequest {
    if (typeof options === 'string') throw new Error('the fake electron requests only by options')
    return new FakeClientRequest(options, (options.session as unknown as FakeSession | undefined) ?? this.#defaultSession())
  }
}

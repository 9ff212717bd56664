import { type IncomingHttpHeaders, request } from 'node:http'
import { WebSocket } from 'ws'
import type { Wire } from '../../shared/wire/wire.ts'
import { socketToken } from '../../renderer/wire/sign-in.ts'
import { type PageSocket, websocketWire } from '../../renderer/wire/websocket-wire.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends one raw request with exactly these headers and this path. */
export function ask(
  port: number,
  path: string,
  init: { readonly method?: string; readonly headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { host: `127.0.0.1:${port}`, ...init.headers }
    const sent = request({ host: '127.0.0.1', port, path, method: init.method ?? 'GET', headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Plays the browser for our page: its origin and the storage of one window. The same object is used across reloads. */
export class BrowserLike {
  readonly #port: number
  /** The host and port in the page's address. Behind a tunnel they differ from the server's own. */
  readonly #host: string
  /** The page secret in the window's `sessionStorage`. */
  secret: string | null = null
  /** The page secret of another window of this browser. */
  otherWindow: string | null = null

  constructor(port: number, host = `127.0.0.1:${port}`) {
    this.#port = port
    this.#host = host
  }

  /** Loads the page at an address with this fragment (empty after a reload) and signs in as the page does. */
  signIn(fragment: string): Promise<string> {
    const secret = {
      read: () => this.secret,
      keep: (kept: string) => void (this.secret = kept),
      forget: () => void (this.secret = null),
    }
    const fetch = (path: string, init: RequestInit) => this.#fetch(path, init)
    return socketToken({ fragment, forgetFragment: () => {}, fetch, secret, askOtherWindows: () => Promise.resolve(this.otherWindow) })
  }

  socket(headers: Record<string, string> = {}): WebSocket {
    const url = `ws://127.0.0.1:${this.#port}/wire`
    return new WebSocket(url, { headers: { host: this.#host, origin: `http://${this.#host}`, ...headers }, perMessageDeflate: false })
  }

  async wire(fragment: string): Promise<Wire> {
    const token = await this.signIn(fragment)
    return websocketWire(this.socket() as unknown as PageSocket, token)
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const own = { host: this.#host, origin: `http://${this.#host}`, 'sec-fetch-site': 'same-origin' }
    const answer = await ask(this.#port, path, {
      method: init.method ?? 'GET',
      headers: { ...own, ...(init.headers as Record<string, string>) },
    })
    return new Response(answer.text, { status: answer.status })
  }
}

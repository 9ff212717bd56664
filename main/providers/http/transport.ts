import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Clock } from '../../agent/ports/clock.ts'
import { isLoopback } from '../../../shared/lib/local-hosts.ts'
import { PlainHeaders } from './plain-headers.ts'
import { plainResponse } from './plain-response.ts'
import { piecesOf } from './placeholder-body.ts'

export interface TransportOptions {
  readonly clock: Clock
  /** Time limit in milliseconds for DNS, TCP and TLS together. */
  readonly connectMs: number
  /** Contains HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Loopback addresses are never proxied. */
  readonly proxyEnv?: NodeJS.ProcessEnv
}

/**
 * The `fetch` for the vendors' SDKs. Its sockets remain open between requests. Node's own `fetch` gives up after five minutes without data,
 * a limit that we want to set ourselves, and takes half a millisecond longer per request. Redirects are not followed, so that a key is not
 * sent to another host. The body of a successful response is read through `body`, as raw bytes.
 */
export interface Transport {
  /** Loads the modules for a request to this address. */
  prepare?(url: string): void
  fetch(url: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * The body of a successful response (status 2xx) of this transport. To close the connection, destroy the stream. To keep the connection,
   * read the stream to its end.
   */
  body(response: Response): Readable
  close(): void
}

/** An unused socket is closed after this time (ms), before load balancers usually close it. */
const IDLE_SOCKET_MS = 50_000
/** Maximum number of bytes to read from the body of an error response. */
const LONGEST_ERROR = 65_536

export function createTransport({ clock, connectMs, proxyEnv }: TransportOptions): Transport {
  const agents = new Map<string, Agent>()
  const bodies = new WeakMap<Response, Readable>()

  const agentFor = ({ protocol, hostname }: URL): Agent => {
    const near = isLoopback(hostname)
    const name = `${protocol} ${near ? 'near' : 'far'}`
    const options = { keepAlive: true, timeout: IDLE_SOCKET_MS, ...(proxyEnv && !near && { proxyEnv }) }
    const agent = agents.get(name) ?? new (protocolOf(protocol).Agent)(options)
    agents.set(name, agent)
    return agent
  }
  const send = async (url: URL, init: RequestInit): Promise<IncomingMessage> => {
    const agent = agentFor(url)
    const pieces = piecesOf(init.body)
    const headers = {
      ...Object.fromEntries(new PlainHeaders(init.headers)),
      'content-length': String(pieces.reduce((bytes, { byteLength }) => bytes + byteLength, 0)),
      'accept-encoding': 'identity',
    }
    const request = protocolOf(url.protocol).request(url, {
      method: init.method ?? 'GET',
      headers,
      agent,
      signal: init.signal ?? undefined,
    })
    const response = answerOf(request, clock, connectMs)
    request.cork()
    for (const piece of pieces) request.write(piece)
    request.end()
    try {
      return await response
    } catch (error) {
      // The reused socket may be dead, because the server closed it or the machine slept. All unused sockets are closed, so that the next
      // request gets a new one.
      if (request.reusedSocket) closeUnused(agent)
      throw error
    }
  }

  return {
    prepare: (url) => void agentFor(new URL(url)),
    async fetch(url, init = {}) {
      const incoming = await send(new URL(typeof url === 'string' || url instanceof URL ? url : url.url), init)
      const status = incoming.statusCode ?? 0
      const headers = headersOf(incoming)
      if (status < 200 || status > 299) return plainResponse(status < 200 || status > 599 ? 502 : status, headers, await start(incoming))
      const response = plainResponse(status, headers)
      bodies.set(response, decoded(incoming))
      return response
    },
    body(response) {
      const body = bodies.get(response)
      if (!body) throw new Error('This response has no body or does not belong to this transport.')
      return body
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

/**
 * Node's modules, loaded on first use. `import` would read every export, including `fetch`, for which Node loads a second HTTP client. That
 * took 30 ms of startup (measured), plus 12 ms for TLS even if it is not needed.
 */
function protocolOf(protocol: string): Pick<typeof import('node:http'), 'Agent' | 'request'> {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
}

/** Resolves when the headers have arrived. Rejects if the connection is not made in time or breaks before that. */
function answerOf(request: ClientRequest, clock: Clock, connectMs: number): Promise<IncomingMessage> {
  const waiting = new AbortController()
  // A reason is passed, because aborting without one is slow (see `IdleWatch`).
  const connected = (): void => waiting.abort('connected')
  request.once('socket', (socket) => {
    if (!socket.connecting) return connected()
    socket.once('protocol' in request && request.protocol === 'https:' ? 'secureConnect' : 'connect', connected)
  })
  clock.sleep(connectMs, waiting.signal).then(
    () => request.destroy(Object.assign(new Error(`no connection within ${connectMs / 1000} s`), { code: 'ECONNECTTIMEOUT' })),
    () => {},
  )
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    // The listener is not removed, because a request that is destroyed after its answer may also emit an error.
    request.on('error', reject)
    request.once('close', connected)
  })
}

function closeUnused(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
}

function headersOf(incoming: IncomingMessage): PlainHeaders {
  const headers = new PlainHeaders()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) for (const value of values ?? []) headers.append(name, value)
  return headers
}

/** The start of an error's body, or the part that arrived before the connection broke. */
async function start(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of decoded(incoming) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size >= LONGEST_ERROR) break
    }
  } catch {
    // If the connection broke, the part of the error page that arrived is enough.
  }
  return Buffer.concat(chunks).subarray(0, LONGEST_ERROR).toString('utf8')
}

/**
 * Decompresses a body, because some proxies compress answers although the request did not ask for it. Flushed data is passed on
 * immediately. A body that is cut off is an error.
 */
function decoded(incoming: IncomingMessage): Readable {
  const encoding = incoming.headers['content-encoding']
  const decoder = encoding === undefined ? null : decoderOf(encoding)
  if (!decoder) return incoming
  incoming.once('error', (error) => decoder.destroy(error))
  decoder.once('close', () => incoming.destroy())
  return incoming.pipe(decoder)
}

function decoderOf(encoding: string) {
  // The module is loaded on demand, because it is rarely needed.
  const { constants, createBrotliDecompress, createGunzip, createInflate } = process.getBuiltinModule('node:zlib')
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ flush: constants.Z_SYNC_FLUSH })
    case 'deflate':
      return createInflate({ flush: constants.Z_SYNC_FLUSH })
    case 'br':
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })
    default:
      return null
  }
}

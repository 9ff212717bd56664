import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Result, failed, ok } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Wire } from '../../shared/wire/wire.ts'
import type { AssetTable } from './asset-table.ts'
import { freshNonce, securityHeaders } from './content-security.ts'
import { type Refusal, refusalOf } from './request-gate.ts'
import { AccessSecrets } from './access-secrets.ts'
import { type PageResponse, pageResponse, plain } from './page-response.ts'
import { websocketServer } from './websocket-server.ts'

export interface HttpShellParts {
  /** With 0, the system chooses a free port. */
  readonly port: number
  readonly assets: AssetTable
  /** Called when a signed-in page has connected. */
  readonly onWire: (wire: Wire) => void
  /** Called for unexpected errors. The page gets a 500 response without details. */
  readonly onBug: (error: unknown) => void
}

export interface HttpShell {
  readonly port: number
  /** An address to open, with a new token that works once. */
  address(): string
  /** Closes every connection. Resolves when the port is free, after at most one second. */
  close(): Promise<void>
}

/**
 * Times in ms: the time limit for one request to arrive, the interval at which this limit is checked, and the time for which an idle or
 * silent connection is kept open.
 */
const REQUEST_MS = 10_000
const CHECK_MS = 1_000
const IDLE_MS = 5_000
/**
 * Maximum number of connections that have not sent a complete request yet. Browsers open a few in advance. Above this number the oldest
 * is closed.
 */
const SILENT_AT_MOST = 64

/**
 * The loopback server of the browser shell. It serves the page's files, the exchange of the launch token, and the socket. It listens only
 * on 127.0.0.1. A port that is in use is an expected failure.
 */
export async function startHttpShell(parts: HttpShellParts): Promise<Result<HttpShell, Trouble>> {
  const keys = new AccessSecrets()
  const door = websocketServer(keys, parts.onWire)
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, keepAliveTimeout: IDLE_MS, connectionsCheckingInterval: CHECK_MS },
    (request, response) => {
      answer(request, keys, parts.assets).then(
        (page) => write(request, response, page),
        (error: unknown) => {
          parts.onBug(error)
          write(request, response, say(500, 'This failed unexpectedly; the terminal has the details.'))
        },
      )
    },
  )
  server.setTimeout(IDLE_MS)
  limitSilent(server)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const refusal = refusalOf(request) ?? (request.url === '/wire' ? null : { status: 404, why: 'There is no socket here.' })
    if (refusal) refuseUpgrade(socket, refusal)
    else door.upgrade(request, socket, head)
  })
  const taken = await listen(server, parts.port)
  if (taken) return failed(taken)
  const { port } = server.address() as AddressInfo
  return ok({ port, address: () => `http://127.0.0.1:${port}/#${keys.launchToken()}`, close: () => close(server, door.close) })
}

/** Above the limit, closes the oldest connection that has not sent a complete request, so that idle clients do not block others. */
function limitSilent(server: Server): void {
  const silent = new Set<Duplex>()
  server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
    const [oldest] = silent
    if (silent.size > SILENT_AT_MOST) oldest?.destroy()
  })
  for (const event of ['request', 'upgrade'] as const) server.on(event, ({ socket }: IncomingMessage) => silent.delete(socket))
}

async function answer(request: IncomingMessage, keys: AccessSecrets, assets: AssetTable): Promise<PageResponse> {
  const refusal = refusalOf(request)
  if (refusal) return say(refusal.status, refusal.why)
  const path = (request.url ?? '').split('?', 1)[0] ?? ''
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return pageResponse(assets, path, 'browser')
    case 'POST':
      return post(request, path, keys)
    default:
      return say(405, 'This server supports only GET, HEAD and POST.')
  }
}

function post(request: IncomingMessage, path: string, keys: AccessSecrets): PageResponse {
  const shown = /^Bearer (\S{1,100})$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (path === '/session') {
    const pageSecret = keys.exchange(shown)
    return pageSecret === null ? say(401, 'This address is wrong or was used before.') : say(200, pageSecret)
  }
  if (path === '/socket-token') return keys.isPageSecret(shown) ? say(200, keys.socketToken()) : say(401, 'This page is not signed in.')
  return say(404, 'There is nothing here.')
}

const say = (status: number, text: string): PageResponse => plain(status, text, securityHeaders('browser', freshNonce()))

function write(request: IncomingMessage, response: ServerResponse, page: PageResponse): void {
  // A body that nobody reads would hold the connection open.
  request.resume()
  response.writeHead(page.status, { ...page.headers, 'content-length': page.body.byteLength })
  response.end(request.method === 'HEAD' ? undefined : page.body)
}

function refuseUpgrade(socket: Duplex, { status, why }: { readonly status: Refusal['status'] | 404; readonly why: string }): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${why}\n`)
}

function listen(server: Server, port: number): Promise<Trouble | null> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const trouble = listenTrouble(error, port)
      if (trouble) resolve(trouble)
      else reject(error)
    })
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => resolve(null))
  })
}

function listenTrouble(error: NodeJS.ErrnoException, port: number): Trouble | null {
  const kept = 'Nothing was started or changed.'
  switch (error.code) {
    case 'EADDRINUSE':
      return {
        code: 'port_in_use',
        what: `Port ${port} is in use by another program.`,
        kept,
        todo: 'Choose another port with --port N, or leave --port out to use any free port.',
      }
    case 'EACCES':
      return {
        code: 'port_forbidden',
        what: `This user may not listen on port ${port}.`,
        kept,
        todo: 'Choose a port above 1023 with --port N, or leave --port out to use any free port.',
      }
    default:
      return null
  }
}

function close(server: Server, closeDoor: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    closeDoor()
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 500).unref()
  })
}

import { lookup } from 'node:dns'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { type Duplex, pipeline } from 'node:stream'
import type { BlockedHost, HostOptions, TrafficWatch } from '../../../agent/ports/command-copies.ts'
import { listen } from './local-ports.ts'
import { joinWatched, REQUEST_REFUSED } from './watched-tunnel.ts'
import { isLocalhost } from '../../../../shared/lib/local-hosts.ts'

/**
 * The only way out of a copy. Granted hosts are allowed. For other hosts, `onHost` decides. Without `onHost`, all other hosts are refused.
 * Refused hosts are reported by name.
 */
export interface HostProxy {
  readonly socket: string
  readonly blocked: readonly BlockedHost[]
  close(): Promise<void>
}

const REFUSAL = 'Countersign: this command runs without network, and this host is not allowed.\n'

/** `remembers`: whether `onHost` is called only once for each host. `resolve`: finds the addresses of a host. */
export async function openHostProxy(
  folder: string,
  { hosts = [], onHost, traffic = () => null, remembers = true }: HostOptions & { readonly remembers?: boolean },
  resolve: LookupFunction = lookup,
): Promise<HostProxy> {
  const blocked = new Map<string, BlockedHost>()
  const answers = new Map<string, Promise<boolean>>()
  const sockets = new Set<Duplex>()
  const mayPass = async (asked: BlockedHost): Promise<boolean> => {
    if (hosts.some((pattern) => matches(pattern, asked.host))) return true
    const key = `${asked.host}:${asked.port}`
    const answer = answers.get(key) ?? (onHost ? onHost(asked).catch(() => false) : Promise.resolve(false))
    if (remembers) answers.set(key, answer)
    if (!(await answer)) blocked.set(key, asked)
    return answer
  }
  // A normal import would also load Node's second HTTP client, which would delay the start of the app by 30 ms.
  const { createServer } = process.getBuiltinModule('node:http')
  const ways: Ways = { mayPass, traffic, resolve: outwards(resolve), sockets }
  const server = createServer((asked, answer) => {
    // Node can read some addresses that it refuses to send, such as one with a damaged user name.
    passPlain(asked, answer, ways).catch(() => answer.writeHead(400).end())
  })
  server.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => void passTunnel(asked, client, head, ways))
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const name = 'proxy'
  await listen(server, folder, name)
  return {
    socket: join(folder, name),
    get blocked() {
      return [...blocked.values()]
    },
    close() {
      const { promise, resolve } = Promise.withResolvers<void>()
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
      return promise
    },
  }
}

interface Ways {
  mayPass(asked: BlockedHost): Promise<boolean>
  traffic(): TrafficWatch | null
  readonly resolve: LookupFunction
  /** Connections that are open. */
  readonly sockets: Set<Duplex>
}

/** Addresses that mean the machine itself wherever they are used, link-local addresses, and those at which clouds provide credentials. */
const INNER_ADDRESS = /^(?:::ffff:)?(?:0\.|127\.|169\.254\.|100\.100\.100\.200$|168\.63\.129\.16$)|^::1?$|^fe[89ab]|^fd00:ec2:/iu

function isInner(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/u, '')
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return INNER_ADDRESS.test(address) || own.some((one) => one.address.toLowerCase() === plain)
}

/**
 * Refuses every name, except `localhost`, that leads to this machine. The owner of a name chooses its address, but a grant for the host
 * must not open this machine's ports, which need a separate grant.
 */
function outwards(resolve: LookupFunction): LookupFunction {
  return (host, options, found) =>
    resolve(host, options, (error, address, family) => {
      const all = typeof address === 'string' ? [address] : (address ?? []).map((one) => one.address)
      const isRefused = error === null && !isLocalhost(host) && all.some(isInner)
      found(isRefused ? new Error(`${host} is an address of this machine.`) : error, address, family)
    })
}

/** Tunnels `https` and everything else that is not plain HTTP. */
async function passTunnel(
  { url = '' }: IncomingMessage,
  client: Duplex,
  head: Buffer,
  { mayPass, traffic, resolve, sockets }: Ways,
): Promise<void> {
  client.on('error', () => client.destroy())
  const asked = hostOf(`http://${url}`, 443)
  if (!asked || !(await mayPass(asked)))
    return void client.end(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${REFUSAL.length}\r\n\r\n${REFUSAL}`)
  const server = connect({ ...asked, lookup: resolve })
  sockets.add(server)
  server.once('close', () => {
    sockets.delete(server)
    client.destroy()
  })
  client.once('close', () => server.destroy())
  let isConnected = false
  // Once the connection exists, everything that is sent to the client counts as sent by the host.
  server.on('error', () => isConnected || client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  server.once('connect', () => {
    isConnected = true
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    const watch = traffic()
    if (watch) return joinWatched(client, server, head, asked, watch)
    server.write(head)
    server.pipe(client).pipe(server)
  })
}

async function passPlain(asked: IncomingMessage, answer: ServerResponse, { mayPass, traffic, resolve }: Ways): Promise<void> {
  const host = hostOf(asked.url ?? '', 80)
  if (!host || !(await mayPass(host))) return void answer.writeHead(403, { 'content-type': 'text/plain' }).end(REFUSAL)
  const watch = traffic()
  const watched = watch && (await watch.onRequest(host))
  if (watch && !watched) return void answer.writeHead(403, { 'content-type': 'text/plain' }).end(REQUEST_REFUSED)
  if (answer.destroyed) return
  // The host of the address is sent, because the command's own `Host` could name another site of the same server.
  const { 'proxy-connection': _proxy, host: _host, ...headers } = asked.headers
  // The watch could not read a compressed answer.
  if (watched) delete headers['accept-encoding']
  const { request } = process.getBuiltinModule('node:http')
  const onward = request(asked.url ?? '', { method: asked.method, headers, lookup: resolve }, (answered) => {
    try {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      if (watched) answered.on('data', (bytes: Buffer) => watched.onAnswer(bytes))
      pipeline(answered, answer, () => {})
    } catch {
      // Node can read some answers that it refuses to write, such as one with status 0.
      answered.destroy()
      answer.writeHead(502).end()
    }
  })
  onward.on('error', () => answer.headersSent && answer.destroy())
  // This also handles a host that switches to another protocol, which is not passed on.
  onward.once('close', () => answer.headersSent || answer.writeHead(502).end())
  answer.once('close', () => onward.destroy())
  asked.pipe(onward)
}

/**
 * Returns the host and port of a URL. Null if the text is not an HTTP URL with a host. The permission check and name resolution both use
 * the returned host, which has no NUL characters and only one spelling.
 */
function hostOf(url: string, port: number): BlockedHost | null {
  const parsed = URL.parse(url)
  if (!parsed || parsed.protocol !== 'http:' || parsed.hostname === '') return null
  return { host: parsed.hostname.replace(/^\[|\]$/g, '').toLowerCase(), port: Number(parsed.port || (url.endsWith(':80') ? 80 : port)) }
}

function matches(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase()
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) && host.length > wanted.length - 1 : host === wanted
}

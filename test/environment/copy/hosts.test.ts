import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type HostProxy, openHostProxy } from '../../../main/environment/copy/start/host-proxy.ts'
import { tempFolder } from '../support.ts'
import { hasNoCopies, openCopies } from './support.ts'

/** Starts a server on this machine, which a copy reaches as `127.0.0.1` only through the proxy. */
async function serve(address = '127.0.0.1') {
  const hosts: (string | undefined)[] = []
  const server = createServer((request, response) => {
    hosts.push(request.headers.host)
    response.end('answered')
  })
  let connections = 0
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, hosts, asked: () => hosts.length, connections: () => connections }
}

/** An address at which other machines reach this one. The loopback address if there is no network. */
function ownAddress(): string {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return own.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'
}

/** Sends a request to the proxy, and returns the first line of the answer. */
async function statusOf({ socket }: HostProxy, request: string): Promise<string> {
  const answer = connect(socket)
  // This side of the connection stays open, because the proxy gives up on a request if the sender closes its side.
  answer.write(`${request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  return (await text(answer)).split('\r\n', 1)[0] ?? ''
}

// By default curl does not use the proxy for loopback addresses. This option makes it use the proxy.
const curl = 'curl -sS -m 10 --noproxy ""'

describe.skipIf(hasNoCopies)('hosts', () => {
  it('without a grant no host can be reached, and the attempt fails immediately', async () => {
    const { port, asked } = await serve()
    const { copies } = openCopies()
    const { result, blocked } = await copies.run(
      `${curl} http://127.0.0.1:${port}/; curl -sS -m 10 https://example.org/; getent hosts example.org`,
    )
    expect(result).toMatchObject({ stdout: '', timedOut: false })
    expect([asked(), blocked]).toEqual([0, []])
  })

  it('a granted host is reached directly and through a tunnel, and other hosts are refused and reported by name', async () => {
    const { port, asked } = await serve()
    const { copies } = openCopies()
    const { result, blocked } = await copies.run(
      `${curl} http://127.0.0.1:${port}/; ${curl} -p http://127.0.0.1:${port}/; ${curl} -f http://other.example/; ${curl} https://third.example/`,
      { hosts: ['127.0.0.1'] },
    )
    expect(result.stdout).toBe('answeredanswered')
    expect(result.stderr).toContain('403')
    expect(asked()).toBe(2)
    expect(blocked).toEqual([
      { host: 'other.example', port: 80 },
      { host: 'third.example', port: 443 },
    ])
  })

  it('a request to a granted host has that host’s name as its Host header, whatever the command sends', async () => {
    const { port, hosts } = await serve()
    const { copies } = openCopies()
    await copies.run(`${curl} -H 'Host: other.example' http://127.0.0.1:${port}/`, { hosts: ['127.0.0.1'] })
    expect(hosts).toEqual([`127.0.0.1:${port}`])
  })

  it('the user is asked once about a host without a grant, and connections to it wait for the answer', async () => {
    const { port, asked } = await serve()
    const { copies } = openCopies()
    const questions: string[] = []
    const { result, blocked } = await copies.run(`for i in 1 2 3; do ${curl} http://127.0.0.1:${port}/; done; ${curl} http://no.example/`, {
      onHost: ({ host }) => {
        questions.push(host)
        return Promise.resolve(host === '127.0.0.1')
      },
    })
    expect([result.stdout.startsWith('answeredansweredanswered'), asked(), questions]).toEqual([true, 3, ['127.0.0.1', 'no.example']])
    expect(blocked).toEqual([{ host: 'no.example', port: 80 }])
  })

  it.each(['evil.example.org.attacker.test', 'notexample.org', 'example.org%00.attacker.test'])(
    '%s is not covered by *.example.org',
    async (host) => {
      const { copies } = openCopies()
      const { result } = await copies.run(
        `exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT ${host.replaceAll('%', '%%')}:443 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' >&3; head -1 <&3`,
        { hosts: ['example.org', '*.example.org'] },
      )
      expect(result.stdout).toMatch(/^HTTP\/1.1 40[03]/)
    },
  )

  it.each([
    ['this machine', '127.0.0.1'],
    ['an address of this machine in its network', ownAddress()],
  ])('a granted host that resolves to %s gives no access to this machine’s ports', async (_name, address) => {
    const { port, asked } = await serve('0.0.0.0')
    const folder = tempFolder()
    const proxy = await openHostProxy(folder, { hosts: ['*.example'] }, (_host, { all }, found) =>
      all ? found(null, [{ address, family: 4 }]) : found(null, address, 4),
    )
    onTestFinished(() => proxy.close())
    const answers = [await statusOf(proxy, `GET http://own.example:${port}/`), await statusOf(proxy, `CONNECT own.example:${port}`)]
    expect([answers, asked()]).toEqual([['HTTP/1.1 502 Bad Gateway', 'HTTP/1.1 502 Bad Gateway'], 0])
  })

  it.each([
    ['has no valid status', 'HTTP/1.1 000 nothing\r\nContent-Length: 0'],
    ['is not HTTP', 'nothing'],
    ['switches to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade'],
  ])('if a granted host’s answer %s, only that request fails', async (_name, head) => {
    const server = createTcpServer((socket) => void socket.on('error', () => {}).end(`${head}\r\n\r\n`))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const proxy = await openHostProxy(tempFolder(), { hosts: ['127.0.0.1'] })
    onTestFinished(() => proxy.close())
    const { port } = server.address() as AddressInfo
    expect(await statusOf(proxy, `GET http://127.0.0.1:${port}/`)).toBe('HTTP/1.1 502 Bad Gateway')
  })

  it('a request with an address that cannot be passed on is refused', async () => {
    const proxy = await openHostProxy(tempFolder(), { hosts: ['127.0.0.1'] })
    onTestFinished(() => proxy.close())
    expect(await statusOf(proxy, 'GET http://%ff@127.0.0.1/')).toBe('HTTP/1.1 400 Bad Request')
  })

  it('if a host ends in the middle of its answer, the answer to the command ends too', async () => {
    const host = createTcpServer((socket) => void socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'))
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    const proxy = await openHostProxy(tempFolder(), { hosts: ['127.0.0.1'] })
    onTestFinished(async () => void (await proxy.close(), host.close()))
    const client = connect(proxy.socket)
    client.write(`GET http://127.0.0.1:${(host.address() as AddressInfo).port}/ HTTP/1.1\r\nHost: x\r\n\r\n`)
    client.resume()
    await new Promise((resolve) => client.once('close', resolve))
  })

  it('a request of a client that left before the host was allowed does not reach the host', async () => {
    const { port, connections } = await serve()
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<boolean>()
    const onHost = (): Promise<boolean> => (asked.resolve(), answer.promise)
    const proxy = await openHostProxy(tempFolder(), { onHost })
    onTestFinished(() => proxy.close())
    const client = connect(proxy.socket)
    client.write(`POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`)
    await asked.promise
    client.destroy()
    // The answer to a later connection shows that the end of the first was noticed.
    await statusOf(proxy, 'GET nothing')
    answer.resolve(true)
    expect(await statusOf(proxy, `GET http://127.0.0.1:${port}/`)).toBe('HTTP/1.1 200 OK')
    expect(connections()).toBe(1)
  })

  it('if a host resets a connection, the command gets only what the host sent', async () => {
    const host = createTcpServer((socket) => {
      socket.write('half')
      socket.once('data', () => socket.resetAndDestroy())
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    const proxy = await openHostProxy(tempFolder(), { hosts: ['127.0.0.1'] })
    onTestFinished(async () => void (await proxy.close(), host.close()))
    const client = connect(proxy.socket)
    client.write(`CONNECT 127.0.0.1:${(host.address() as AddressInfo).port} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const received: Buffer[] = []
    client.on('error', () => {})
    client.on('data', (bytes: Buffer) => {
      received.push(bytes)
      if (Buffer.concat(received).toString().endsWith('half')) client.write('more')
    })
    await new Promise((resolve) => client.once('close', resolve))
    expect(Buffer.concat(received).toString()).toBe('HTTP/1.1 200 Connection Established\r\n\r\nhalf')
  })

  it('Node uses the proxy for its own requests', async () => {
    const { port } = await serve()
    const { copies } = openCopies()
    const questions: string[] = []
    const script = `fetch('http://host.example:${port}/').catch(({ cause }) => console.log(cause.cause.message))`
    const { result } = await copies.run(`${process.execPath} -e "${script}"`, {
      onHost: ({ host }) => {
        questions.push(host)
        return Promise.resolve(false)
      },
    })
    expect([questions, result.stdout]).toEqual([['host.example'], expect.stringContaining('403')])
  })

  it('only a granted port of this machine can be reached, and its number in the copy is the same', async () => {
    const first = await serve()
    const second = await serve()
    const { copies } = openCopies()
    const { result } = await copies.run(`curl -sS http://localhost:${first.port}/; curl -sS http://localhost:${second.port}/`, {
      localPorts: [first.port],
    })
    expect([result.stdout, first.asked(), second.asked()]).toEqual(['answered', 1, 0])
  })

  it('a command can reach a server in its copy', async () => {
    const { copies } = openCopies({ 'index.txt': 'from inside' })
    const { result } = await copies.run(
      'python3 -m http.server 8123 >/dev/null 2>&1 & for i in {1..600}; do curl -s http://127.0.0.1:8123/index.txt && break; sleep 0.05; done',
      {
        timeoutMs: 60_000,
      },
    )
    expect(result.stdout).toBe('from inside')
  })
})

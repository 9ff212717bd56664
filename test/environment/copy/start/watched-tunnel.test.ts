import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import type { TrafficWatch } from '../../../../main/agent/ports/command-copies.ts'
import { openHostProxy } from '../../../../main/environment/copy/start/host-proxy.ts'
import { tempFolder } from '../../support.ts'

/** A tunnel through the proxy to a server that sends back everything it gets. */
async function tunnel(traffic: TrafficWatch) {
  const got: string[] = []
  const server = createServer((socket: Socket) =>
    socket.on('data', (bytes) => {
      got.push(bytes.toString())
      socket.write(bytes)
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const proxy = await openHostProxy(tempFolder(), { hosts: ['localhost'], traffic: () => traffic })
  const client = connect(proxy.socket)
  client.on('error', () => {})
  onTestFinished(async () => {
    client.destroy()
    await proxy.close()
    server.close()
  })
  client.write(`CONNECT localhost:${port} HTTP/1.1\r\n\r\n`)
  await once(client, 'data')
  return { client, got }
}

test('each new request in a tunnel waits for permission, and later bytes of the same request need none', async () => {
  const waiting: ((may: boolean) => void)[] = []
  const { client, got } = await tunnel({
    onRequest: () => new Promise((resolve) => waiting.push((may) => resolve(may ? { onAnswer: () => {} } : null))),
  })
  client.write('\u0016one')
  await expect.poll(() => waiting).toHaveLength(1)
  client.write(', more')
  expect(got).toEqual([])
  waiting[0]?.(true)
  await expect.poll(() => got.join('')).toBe('\u0016one, more')
  client.write('two')
  await expect.poll(() => waiting).toHaveLength(2)
  expect(got.join('')).not.toContain('two')
  waiting[1]?.(false)
  await once(client, 'close')
  expect(got.join('')).not.toContain('two')
})

test('an unencrypted request that is refused is answered with the reason, and unencrypted answers are reported', async () => {
  const heard: string[] = []
  let may = true
  const { client } = await tunnel({
    onRequest: () => Promise.resolve(may ? { onAnswer: (bytes) => heard.push(Buffer.from(bytes).toString()) } : null),
  })
  client.write('POST /v1 HTTP/1.1\r\n\r\n')
  await once(client, 'data')
  expect(heard.join('')).toBe('POST /v1 HTTP/1.1\r\n\r\n')
  may = false
  client.write('POST /v2 HTTP/1.1\r\n\r\n')
  const [refusal] = (await once(client, 'data')) as [Buffer]
  expect(refusal.toString()).toMatch(/^HTTP\/1\.1 403 .*a budget is used up/su)
})

test('a request whose budget cannot be checked is refused, and the app goes on', async () => {
  const { client, got } = await tunnel({ onRequest: () => Promise.reject(new Error('The database is damaged.')) })
  client.write('POST /v1 HTTP/1.1\r\n\r\n')
  const [refusal] = (await once(client, 'data')) as [Buffer]
  expect(refusal.toString()).toMatch(/^HTTP\/1\.1 403 .*could not be checked/su)
  expect(got).toEqual([])
})

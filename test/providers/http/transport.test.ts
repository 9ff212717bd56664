import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createAnthropic } from '../../../main/providers/anthropic/anthropic.ts'
import { STREAM_LIMITS } from '../../../main/providers/http/exchange.ts'
import { isLoopback } from '../../../shared/lib/local-hosts.ts'
import { systemClock } from '../../../main/environment/system-clock.ts'
import { collected, request } from '../../support/collected.ts'
import { refusingUrl, say, startScriptedModel } from '../../support/scripted-model.ts'

async function ask(baseUrl: string, proxyEnv: NodeJS.ProcessEnv) {
  const key = () => Promise.resolve('key')
  const provider = createAnthropic({
    id: 'anthropic',
    label: 'Anthropic',
    baseUrl,
    key,
    clock: systemClock,
    limits: STREAM_LIMITS,
    proxyEnv,
  })
  onTestFinished(() => provider.close())
  provider.prepare?.()
  return collected(provider.stream(request('claude-sonnet-5-5'), new AbortController().signal))
}

/** Starts a proxy that refuses every connection. `asked`: the addresses to which it was asked to connect. */
async function proxy(status: string) {
  const asked: string[] = []
  const server = createServer()
  server.on('connect', ({ url }, socket: Socket) => {
    asked.push(url ?? '')
    socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('the request goes through the proxy from the environment, and if the proxy refuses, the error names the proxy as the cause', async () => {
  const { url, asked } = await proxy('407 Proxy Authentication Required')
  const { failure } = await ask('https://api.nowhere.test', { HTTPS_PROXY: url })
  expect(asked).toEqual(['api.nowhere.test:443'])
  expect(failure).toMatchObject({ code: 'configuration', cause: 'proxy', retryable: false })
})

test('a proxy that cannot reach the service is reported as a network error', async () => {
  const { url } = await proxy('502 Bad Gateway')
  expect((await ask('https://api.nowhere.test', { HTTPS_PROXY: url })).failure).toMatchObject({
    code: 'network',
    cause: 'proxy',
    retryable: true,
  })
})

test('an invalid proxy address makes the request fail with a network error', async () => {
  expect((await ask('https://api.nowhere.test', { HTTPS_PROXY: 'http://' })).failure).toMatchObject({
    code: 'network',
    message: 'The connection to api.nowhere.test failed before an answer arrived (ERR_PROXY_INVALID_CONFIG).',
  })
})

test('requests to this computer never use a proxy', async () => {
  const model = await startScriptedModel([say('near')])
  onTestFinished(() => model.close())
  const nobody = await refusingUrl()
  expect((await ask(model.url, { HTTP_PROXY: nobody, HTTPS_PROXY: nobody })).text).toBe('near')
})

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['a.localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example', false],
  ['10.0.0.1', false],
  ['0.0.0.0', false],
])('whether %s is this computer: %s', (name, expected) => {
  expect(isLoopback(name)).toBe(expected)
})

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { findLocalServers, localPorts } from '../../../main/providers/catalogue/local-servers.ts'
import { refusingUrl } from '../../support/scripted-model.ts'

async function listening(label: string, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { label, port: (server.address() as AddressInfo).port }
}

const saying =
  (body: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

test('a server that lists its models is offered with its address and their context windows', async () => {
  const asked: string[] = []
  const ollama = await listening('Ollama', (request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'no key'}`)
    saying({ object: 'list', data: [{ id: 'qwen3-coder:30b', object: 'model' }] })(request, response)
  })
  const llama = await listening('llama.cpp', saying({ data: [{ id: 'gpt-oss-20b', meta: { n_ctx_train: 131_072 } }] }))
  expect(await findLocalServers([ollama, llama])).toEqual([
    { label: 'Ollama', baseUrl: `http://127.0.0.1:${ollama.port}/v1`, models: [{ model: 'qwen3-coder:30b', contextWindow: null }] },
    { label: 'llama.cpp', baseUrl: `http://127.0.0.1:${llama.port}/v1`, models: [{ model: 'gpt-oss-20b', contextWindow: 131_072 }] },
  ])
  expect(asked).toEqual(['GET /v1/models no key'])
})

test('other servers, silent ports and closed ports are not offered', async () => {
  const page = await listening('a page', saying('<html></html>'))
  const other = await listening('another service', saying({ hello: 'world' }))
  const refusing = await listening('one that refuses', saying({ data: [] }, 401))
  const silent = await listening('one that is silent', () => {})
  const nobody = { label: 'nobody', port: Number(new URL(await refusingUrl()).port) }
  expect(await findLocalServers([page, other, refusing, silent, nobody])).toEqual([])
})

test.each([
  ['127.0.0.1:11500', 11_500],
  [':11500', 11_500],
  ['http://localhost:11500', 11_500],
  ['0.0.0.0:11500', 11_500],
  ['gpu.example:11500', 11_434],
  ['127.0.0.1', 11_434],
  ['not an address', 11_434],
  ['', 11_434],
])('OLLAMA_HOST=%s: the app looks for Ollama on local port %i', (said, port) => {
  expect(localPorts({ OLLAMA_HOST: said })).toEqual(localPorts({}).map((place) => (place.label === 'Ollama' ? { ...place, port } : place)))
})

test.each([
  ['9090', 9090],
  ['0', 8080],
  ['70000', 8080],
  ['a port', 8080],
])('LLAMA_ARG_PORT=%s: the app looks for llama.cpp on port %i', (said, port) => {
  expect(localPorts({ LLAMA_ARG_PORT: said })).toEqual(
    localPorts({}).map((place) => (place.label === 'llama.cpp' ? { ...place, port } : place)),
  )
})

test('if no variable sets a port, the servers’ default ports are used', () => {
  expect(localPorts({})).toEqual([
    { label: 'Ollama', port: 11_434 },
    { label: 'LM Studio', port: 1_234 },
    { label: 'llama.cpp', port: 8_080 },
    { label: 'vLLM', port: 8_000 },
  ])
})

test('embedding-only models are listed after chat models', async () => {
  const lmStudio = await listening(
    'LM Studio',
    saying({ data: [{ id: 'text-embedding-nomic-embed-text-v1.5' }, { id: 'qwen/qwen3-coder-30b' }, { id: 'openai/gpt-oss-20b' }] }),
  )
  const [found] = await findLocalServers([lmStudio])
  expect(found?.models.map(({ model }) => model)).toEqual([
    'qwen/qwen3-coder-30b',
    'openai/gpt-oss-20b',
    'text-embedding-nomic-embed-text-v1.5',
  ])
})

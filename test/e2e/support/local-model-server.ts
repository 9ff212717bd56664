import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LocalModelServer {
  readonly port: number
  close(): void
}

/**
 * Starts a server on loopback that lists `models` as Ollama, llama.cpp and LM Studio do. It passes all other requests on to the server
 * `behind`.
 */
export async function startLocalModelServer(
  models: readonly Readonly<Record<string, unknown>>[],
  behind: string,
): Promise<LocalModelServer> {
  const server = createServer((incoming, response) => {
    if (incoming.url === '/v1/models') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ object: 'list', data: models }))
      return
    }
    const { method = 'GET', headers } = incoming
    const passed = request(`${behind}${incoming.url ?? ''}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.once('error', () => response.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Script, type ScriptedModel, startScriptedModel } from './scripted-model.ts'

/**
 * Starts a scripted model behind a server that also answers these paths with JSON (`/api/show`, `/props`, `/v1/models`). Answers may
 * depend on the request's headers. Any other request that is not for the model gets 404.
 */
export async function modelServerWith(
  answers: Readonly<Record<string, unknown>>,
  script: Script,
): Promise<{ readonly url: string; readonly model: ScriptedModel; readonly asked: readonly string[] }> {
  const model = await startScriptedModel(script)
  const asked: string[] = []
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? ''
    const answer = answers[path]
    if (answer !== undefined) {
      asked.push(path)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      return
    }
    const onwards = request(`${model.url}${path}`, { method: incoming.method, headers: incoming.headers, agent: false }, (answered) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers)
      answered.pipe(response)
    })
    onwards.once('error', () => response.destroy())
    incoming.pipe(onwards)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await model.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, model, asked }
}

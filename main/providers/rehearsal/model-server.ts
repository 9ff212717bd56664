import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Delivery, ScriptedAnswer, ScriptedRequest } from './scripted-answer.ts'
import { ANTHROPIC, askedFor, type ScriptedFormat } from './scripted-format.ts'

export interface ModelServer {
  /** The base URL for an adapter. It contains only the origin, with a free port on 127.0.0.1. */
  readonly url: string
  /** Closes all connections and the port. */
  close(): Promise<void>
}

/** Maximum size of a request in bytes, as with Anthropic's service. */
const LARGEST_REQUEST = 32_000_000

/**
 * A model server on loopback that answers with the script. It distinguishes its wire formats by the path. An exception in the script becomes
 * HTTP status 500.
 */
export async function startModelServer(
  script: (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>,
  formats: readonly ScriptedFormat[] = [ANTHROPIC],
): Promise<ModelServer> {
  let arrived = 0
  const closing = new AbortController()
  const server = createServer((incoming, response) => {
    void serve(incoming, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy()
      else sendError(response, 500, 'api_error', error instanceof Error ? error.message : String(error))
    })
  })
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await readBody(incoming)
    const path = incoming.url ?? ''
    const format = formats.find(({ owns }) => owns(path))
    if (incoming.method !== 'POST' || !format) return sendError(response, 404, 'not_found_error', `Not found: ${path}`)
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Readonly<Record<string, unknown>>
    const { promise: ended, resolve } = Promise.withResolvers<'sent' | 'closed'>()
    response.once('close', () => resolve(response.writableFinished ? 'sent' : 'closed'))
    const request: ScriptedRequest = {
      index: arrived++,
      format: format.name,
      path,
      connection: incoming.socket.remotePort ?? 0,
      headers: incoming.headers,
      bytes,
      body: json as unknown as MessageCreateParamsStreaming,
      json,
      ended,
    }
    await send(await script(request), request, format, { response, closing: closing.signal })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      closing.abort()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > LARGEST_REQUEST) throw new Error('The request is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

interface Way {
  readonly response: ServerResponse
  readonly closing: AbortSignal
}

async function send(answer: ScriptedAnswer, request: ScriptedRequest, format: ScriptedFormat, { response, closing }: Way): Promise<void> {
  if (answer.kind === 'hang_up') return void response.destroy()
  if (answer.kind === 'refusal') {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    return void response.end(JSON.stringify(format.error(answer.status, answer.type, answer.words)))
  }
  const { delivery = {} } = answer
  await delivery.hold
  if (response.destroyed) return
  if (answer.kind === 'raw') {
    response.writeHead(answer.status ?? 200, answer.headers ?? {})
    response.flushHeaders()
    return deliver([Buffer.from(answer.body)], delivery, response, closing)
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': `req_${request.index}`,
  })
  // Ids depend only on the conversation, so that a resumed conversation continues in the same way.
  const { model, turns } = askedFor(request.path, request.json)
  const frames = answer.garbled ? garbled(format.frames(answer, model, String(turns))) : format.frames(answer, model, String(turns))
  const pieces = delivery.paceMs ? frames : [frames.join('')]
  return deliver(
    pieces.map((piece) => Buffer.from(piece)),
    delivery,
    response,
    closing,
  )
}

function garbled(frames: readonly string[]): readonly string[] {
  return frames.toSpliced(Math.floor(frames.length / 2), 0, 'data: {"type": oops}\n\n')
}

async function deliver(frames: readonly Uint8Array[], delivery: Delivery, response: ServerResponse, closing: AbortSignal): Promise<void> {
  const { stops = [], paceMs = 0, pieceBytes } = delivery
  const pieces = pieceBytes ? frames.flatMap((bytes) => torn(bytes, pieceBytes)) : frames
  const waiting = [...stops]
  let sent = 0
  for (const piece of pieces) {
    if (response.destroyed) return
    if (paceMs > 0 && sent > 0) await delay(paceMs, undefined, { signal: closing })
    let rest = piece
    for (let stop = waiting[0]; stop && stop.at <= sent + rest.byteLength; stop = waiting[0]) {
      waiting.shift()
      await written(response, rest.subarray(0, stop.at - sent))
      rest = rest.subarray(stop.at - sent)
      sent = stop.at
      if (stop.next === 'end') return void response.end()
      if (stop.next === 'reset') return void response.destroy()
      if (stop.next === 'stall') return
      await stop.next
    }
    sent += rest.byteLength
    if (pieceBytes) await written(response, rest)
    else response.write(rest)
  }
  response.end()
}

function torn(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.byteLength / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

/** Resolves when the bytes have been sent, so that a scripted break of the connection comes after them. */
function written(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(bytes, () => resolve()))
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error: { type, message }, request_id: null }))
}

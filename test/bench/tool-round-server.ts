import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The time of a request's first byte, and the time at which the last byte of its answer was handed to the kernel, in ms of
 * `performance.now()`.
 */
export interface Exchange {
  readonly requestAt: number
  readonly answeredAt: number
  readonly bodyBytes: number
}

export interface ToolRoundServer {
  readonly url: string
  readonly exchanges: readonly Exchange[]
  close(): Promise<void>
}

/** `input` differs in each round, because a repeated call would count as a loop. */
export interface ScriptedCall {
  readonly name: string
  input(round: number): unknown
}

/**
 * Starts a model that asks for one tool call per answer, `rounds` times, and then answers with `lastAnswer`, in Anthropic's wire format
 * over loopback HTTP. It answers as soon as a request is complete, so the time between two exchanges is the client's own time.
 */
export async function startToolRoundServer(
  rounds: number,
  call: ScriptedCall,
  lastAnswer: readonly string[] = ['Done.'],
): Promise<ToolRoundServer> {
  const exchanges: Exchange[] = []
  const last = textAnswer(lastAnswer)
  const server = createServer((request, response) => {
    const requestAt = performance.now()
    void bodyBytes(request).then((bytes) => {
      const round = exchanges.length
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(round < rounds ? callAnswer(round, call) : last, () => {
        exchanges.push({ requestAt, answeredAt: performance.now(), bodyBytes: bytes })
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, exchanges, close: () => closed(server) }
}

async function bodyBytes(request: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of request) bytes += (chunk as Buffer).length
  return bytes
}

function closed(server: ReturnType<typeof createServer<typeof IncomingMessage, typeof ServerResponse>>): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

function callAnswer(round: number, call: ScriptedCall): string {
  const block = { type: 'tool_use', id: `toolu_${round}`, name: call.name, input: {} }
  return [
    start(),
    event({ type: 'content_block_start', index: 0, content_block: block }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: JSON.stringify(call.input(round)) } }),
    event({ type: 'content_block_stop', index: 0 }),
    end('tool_use'),
  ].join('')
}

function textAnswer(deltas: readonly string[]): string {
  return [
    start(),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...deltas.map((text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    event({ type: 'content_block_stop', index: 0 }),
    end('end_turn'),
  ].join('')
}

function start(): string {
  const usage = { input_tokens: 10, output_tokens: 1 }
  const message = {
    id: 'msg_bench',
    type: 'message',
    role: 'assistant',
    model: 'bench',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  return event({ type: 'message_start', message })
}

function end(reason: string): string {
  const delta = { stop_reason: reason, stop_sequence: null }
  return event({ type: 'message_delta', delta, usage: { output_tokens: 20 } }) + event({ type: 'message_stop' })
}

function event(data: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** What the model asks for in its first answer. Its second answer ends the run. */
export interface Asked {
  readonly kind: 'shell' | 'read'
  /** The command, or the path of the file. */
  readonly what: string
  /** Number of text deltas before the call. */
  readonly deltas: number
}

export interface ResponsesServer {
  readonly url: string
  /** When the first bytes of each request came and when the last byte of its answer was handed to the kernel, in ms. */
  readonly exchanges: readonly { readonly requestAt: number; readonly answeredAt: number }[]
  close(): Promise<void>
}

const Request = z.object({ tools: z.array(z.object({ name: z.string().optional() })) })
/** How the programs call their tools for each kind, and the argument of each. */
const TOOLS = {
  shell: { exec_command: 'cmd', shell: 'command', bash: 'command' },
  read: { read_file: 'file_path', read: 'path' },
} as const satisfies Readonly<Record<Asked['kind'], Readonly<Record<string, string>>>>

/** A model in OpenAI's Responses format, which our agent, Codex and pi all speak. Throws in a request that offers no suitable tool. */
export async function startResponsesServer(asked: Asked): Promise<ResponsesServer> {
  const exchanges: { requestAt: number; answeredAt: number }[] = []
  const server = createServer((request, response) => {
    const requestAt = performance.now()
    void text(request).then((body) => {
      if (request.method !== 'POST') return response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const answer = exchanges.length === 0 ? firstAnswer(asked, Request.parse(JSON.parse(body))) : lastAnswer()
      return response.end(answer, () => exchanges.push({ requestAt, answeredAt: performance.now() }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    exchanges,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function firstAnswer(asked: Asked, { tools }: z.infer<typeof Request>): string {
  const known: Readonly<Record<string, string>> = TOOLS[asked.kind]
  const name = tools.map((tool) => tool.name).find((offered) => offered !== undefined && Object.hasOwn(known, offered))
  if (name === undefined) throw new Error(`No tool to ${asked.kind} is offered.`)
  const args = JSON.stringify({ [known[name] ?? '']: asked.what })
  const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name, arguments: args, status: 'completed' }
  const message = messageEvents('word '.repeat(4), asked.deltas)
  return [...begin('resp_1'), ...message.events, ...itemEvents(call, message.items.length), end('resp_1', [...message.items, call])].join(
    '',
  )
}

function lastAnswer(): string {
  const message = messageEvents('Done.', 1)
  return [...begin('resp_2'), ...message.events, end('resp_2', message.items)].join('')
}

function messageEvents(delta: string, count: number) {
  const whole = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' }
  const item = { ...whole, content: [{ type: 'output_text', text: delta.repeat(count), annotations: [] }] }
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const events = [
    event({ type: 'response.output_item.added', output_index: 0, item: { ...whole, status: 'in_progress', content: [] } }),
    event({ type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } }),
    event({ type: 'response.output_text.delta', ...place, delta }).repeat(count),
    event({ type: 'response.output_text.done', ...place, text: delta.repeat(count) }),
    event({ type: 'response.output_item.done', output_index: 0, item }),
  ]
  return count === 0 ? { events: [], items: [] } : { events, items: [item] }
}

function itemEvents(item: Readonly<Record<string, unknown>>, index: number): readonly string[] {
  return [
    event({ type: 'response.output_item.added', output_index: index, item: { ...item, arguments: '', status: 'in_progress' } }),
    event({ type: 'response.function_call_arguments.done', output_index: index, item_id: item.id, arguments: item.arguments }),
    event({ type: 'response.output_item.done', output_index: index, item }),
  ]
}

const begin = (id: string): readonly string[] => [
  event({ type: 'response.created', response: { id, object: 'response', status: 'in_progress', output: [] } }),
]

function end(id: string, output: readonly unknown[]): string {
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 30,
  }
  return event({ type: 'response.completed', response: { id, object: 'response', status: 'completed', output, usage } })
}

function event(data: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

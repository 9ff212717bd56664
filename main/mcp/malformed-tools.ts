import { isSpecType, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'

/**
 * The client library refuses a whole list if one of its tools is malformed. This changes the transport so that such tools are left out of
 * each list before the library sees it. `note` gets one sentence about each of them.
 */
export function leaveOutMalformedTools(transport: Transport, note: (line: string) => void): void {
  let receive: Transport['onmessage']
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set(next: Transport['onmessage']) {
      receive = next && ((message, extra) => next(withoutMalformed(message, note), extra))
    },
  })
}

function withoutMalformed<T extends JSONRPCMessage>(message: T, note: (line: string) => void): T {
  if (!('result' in message) || !Array.isArray(message.result['tools'])) return message
  const all: readonly unknown[] = message.result['tools']
  const tools = all.flatMap((tool, index) => wellFormed(tool, index, note))
  return { ...message, result: { ...message.result, tools } }
}

/** Only the older revision of the protocol requires output schemas to be objects. A tool works without its output schema. */
function wellFormed(listed: unknown, index: number, note: (line: string) => void): readonly unknown[] {
  const tool = fieldsOf(listed)
  const name = typeof tool['name'] === 'string' && tool['name'] !== '' ? `“${tool['name']}”` : `number ${index + 1}`
  const { outputSchema, ...rest } = tool
  const isOutputKept = outputSchema === undefined || fieldsOf(outputSchema)['type'] === 'object'
  const kept = isOutputKept ? tool : rest
  if (!isSpecType.Tool(kept)) {
    note(`The server’s tool ${name} was left out, because ${flawOf(tool)}. The other tools can be used.`)
    return []
  }
  if (!isOutputKept) note(`The output schema of the server’s tool ${name} is not used, because it does not describe an object.`)
  return [kept]
}

function flawOf(tool: Readonly<Record<string, unknown>>): string {
  if (typeof tool['name'] !== 'string' || tool['name'] === '') return 'it has no name'
  if (fieldsOf(tool['inputSchema'])['type'] !== 'object') return 'its input schema does not describe an object'
  return 'its entry in the list does not follow the protocol'
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? { ...value } : {}
}

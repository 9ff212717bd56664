import { isSpecType, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'

/** Fields that contain the server's own data, where null has a meaning. */
const DATA: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'structuredContent', '_meta', 'inputRequests'])
/** No field of the protocol is nested deeper. */
const MAX_DEPTH = 8

/**
 * The client library refuses a whole list if one of its tools is malformed, and each result with null for a field that is left out. This
 * changes the transport so that neither reaches the library. `note` gets one sentence about each tool that is left out.
 */
export function repairResults(transport: Transport, note: (line: string) => void): void {
  let receive: Transport['onmessage']
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set(next: Transport['onmessage']) {
      receive = next && ((message, extra) => next(repaired(message, note), extra))
    },
  })
}

function repaired<T extends JSONRPCMessage>(message: T, note: (line: string) => void): T {
  if (!('result' in message)) return message
  const result = fieldsOf(withoutNulls(message.result, MAX_DEPTH))
  if (!Array.isArray(result['tools'])) return { ...message, result }
  const all: readonly unknown[] = result['tools']
  const tools = all.flatMap((tool, index) => wellFormed(tool, index, note))
  return { ...message, result: { ...result, tools } }
}

function withoutNulls(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== 'object' || depth === 0) return value
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one, depth - 1))
  const kept = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(kept.map(([name, field]) => [name, DATA.has(name) ? field : withoutNulls(field, depth - 1)]))
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

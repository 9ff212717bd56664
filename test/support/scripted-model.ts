import type { StopReason } from '@anthropic-ai/sdk/resources/messages'
import { type AddressInfo, createServer } from 'node:net'
import { once } from 'node:events'
import { type ModelServer, startModelServer } from '../../main/providers/rehearsal/model-server.ts'
import type {
  Delivery,
  ScriptedAnswer,
  ScriptedBlock,
  ScriptedMessage,
  ScriptedRequest,
  ScriptedUsage,
} from '../../main/providers/rehearsal/scripted-answer.ts'

/** A list is answered in order, one answer a request; a function sees the request. After the list's end every request gets a 500. */
export type Script = readonly ScriptedAnswer[] | ((request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>)

export interface ScriptedModel extends ModelServer {
  /** All requests so far, in order of arrival. */
  readonly requests: readonly ScriptedRequest[]
  /** The request with this index (from 0), as soon as its body has arrived. */
  request(index: number): Promise<ScriptedRequest>
}

/** A scripted model over real HTTP on 127.0.0.1, in all four wire formats, distinguished by the path. It records every request; close it when done. */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = []
  const waiting = new Map<number, PromiseWithResolvers<ScriptedRequest>>()
  const answer = typeof script === 'function' ? script : ({ index }: ScriptedRequest) => script[index] ?? exhausted(index, script.length)
  const server = await startModelServer((request) => {
    requests.push(request)
    waiting.get(request.index)?.resolve(request)
    return answer(request)
  })
  return {
    ...server,
    requests,
    request(index) {
      const arrived = requests[index]
      if (arrived) return Promise.resolve(arrived)
      const waiter = waiting.get(index) ?? Promise.withResolvers<ScriptedRequest>()
      waiting.set(index, waiter)
      return waiter.promise
    },
  }
}

function exhausted(index: number, length: number): never {
  throw new Error(`The script has ${length} answers; request ${index} is one too many.`)
}

interface Options {
  readonly stopReason?: StopReason
  readonly usage?: ScriptedUsage
  readonly delivery?: Delivery
}

/** An answer of text alone. */
export function say(text: string, options: Options = {}): ScriptedMessage {
  return { kind: 'message', blocks: [{ kind: 'text', text }], ...options }
}

/** An answer of any blocks. */
export function message(blocks: readonly ScriptedBlock[], options: Options = {}): ScriptedMessage {
  return { kind: 'message', blocks, ...options }
}

/** A call as a block; a string as arguments is sent as it is. Ids, where none is given, follow from the length of the conversation. */
export function call(name: string, args: string | Readonly<Record<string, unknown>>, id?: string): ScriptedBlock {
  return { kind: 'call', name, args: typeof args === 'string' ? args : JSON.stringify(args), ...(id === undefined ? {} : { id }) }
}

export function text(words: string): ScriptedBlock {
  return { kind: 'text', text: words }
}

export function thinking(words: string, signature = 'sig'): ScriptedBlock {
  return { kind: 'thinking', text: words, signature }
}

/** An answer of calls alone. */
export function calls(...blocks: readonly ScriptedBlock[]): ScriptedMessage {
  return message(blocks)
}

/** An HTTP error in the form of whichever service is asked. */
export function httpError(status: number, type: string, words: string, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer {
  return { kind: 'refusal', status, type, words, headers }
}

/** Any body as an event stream with status 200. */
export function stream(body: string | Uint8Array, delivery: Delivery = {}): ScriptedAnswer {
  return { kind: 'raw', headers: { 'content-type': 'text/event-stream' }, body, delivery }
}

/** Something that a test opens by hand, for `delivery.hold` and a stop's `next`. */
export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** A URL on which nobody listens. */
export async function refusingUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

import type { StopReason } from '@anthropic-ai/sdk/resources/messages'
import { createServer } from 'node:net'
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
import { FORMATS } from './wire-formats/formats.ts'

/**
 * A list gives one answer per request, in order, and every request after its end gets a 500. A function computes the answer from the
 * request.
 */
export type Script = readonly ScriptedAnswer[] | ((request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>)

export interface ScriptedModel extends ModelServer {
  /** All requests so far, in order of arrival. */
  readonly requests: readonly ScriptedRequest[]
  /** Resolves with the request with this index (from 0) when its body has arrived. */
  request(index: number): Promise<ScriptedRequest>
}

/**
 * Starts a scripted model over real HTTP on 127.0.0.1. The path of a request selects one of all four wire formats. The model records every
 * request. The caller must close the model.
 */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = []
  const waiting = new Map<number, PromiseWithResolvers<ScriptedRequest>>()
  const answer = typeof script === 'function' ? script : ({ index }: ScriptedRequest) => script[index] ?? exhausted(index, script.length)
  const server = await startModelServer((request) => {
    requests.push(request)
    waiting.get(request.index)?.resolve(request)
    return answer(request)
  }, FORMATS)
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

/** Returns an answer that contains only text. */
export function say(text: string, options: Options = {}): ScriptedMessage {
  return { kind: 'message', blocks: [{ kind: 'text', text }], ...options }
}

/** Returns an answer with any blocks. */
export function message(blocks: readonly ScriptedBlock[], options: Options = {}): ScriptedMessage {
  return { kind: 'message', blocks, ...options }
}

/**
 * Returns a call as a block. Arguments that are a string are sent unchanged. If no id is given, the id is derived from the length of the
 * conversation.
 */
export function call(name: string, args: string | Readonly<Record<string, unknown>>, id?: string): ScriptedBlock {
  return { kind: 'call', name, args: typeof args === 'string' ? args : JSON.stringify(args), ...(id === undefined ? {} : { id }) }
}

export function text(words: string): ScriptedBlock {
  return { kind: 'text', text: words }
}

export function thinking(words: string, signature = 'sig'): ScriptedBlock {
  return { kind: 'thinking', text: words, signature }
}

/** Returns an answer that contains only calls. */
export function calls(...blocks: readonly ScriptedBlock[]): ScriptedMessage {
  return message(blocks)
}

/** Returns an HTTP error in the format of the service that is called. */
export function httpError(status: number, type: string, words: string, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer {
  return { kind: 'refusal', status, type, words, headers }
}

/** Returns an answer that sends this body as an event stream with status 200. */
export function stream(body: string | Uint8Array, delivery: Delivery = {}): ScriptedAnswer {
  return { kind: 'raw', headers: { 'content-type': 'text/event-stream' }, body, delivery }
}

/** A promise that a test resolves by hand. It is used for `delivery.hold`, and for `next` in an entry of `delivery.stops`. */
export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/**
 * Returns a port at which nothing listens. The system never chooses a port of this range for a program that asks for any free port, so no
 * other test gets the port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Returns a URL at which nothing listens. */
export const refusingUrl = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`

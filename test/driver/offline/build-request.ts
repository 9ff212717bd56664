import { Buffer } from 'node:buffer'
import type { ModelRequest, ToolDefinition } from '../../../main/agent/ports/provider.ts'
import { PlainHeaders } from '../../../main/providers/http/plain-headers.ts'
import { piecesOf } from '../../../main/providers/http/placeholder-body.ts'
import type { Transport } from '../../../main/providers/http/transport.ts'
import { withoutKey } from '../../../main/providers/failures/redact-key.ts'
import { flawOfImages } from './given-images.ts'
import { type GivenHistory, turnsOf } from './given-history.ts'
import { providerOverTransport, providerOf, OFFLINE_KEY, type WireName } from './provider-over-transport.ts'

export interface AskedRequest {
  readonly provider: WireName
  readonly history: GivenHistory
  readonly tools: readonly ToolDefinition[]
  readonly options: {
    readonly model: string
    readonly system?: string
    readonly effort?: ModelRequest['effort']
    readonly answerShape?: ModelRequest['answerShape']
    /** Default: the vendor's own address. */
    readonly baseUrl?: string
  }
}

export interface BuiltRequest {
  readonly url: string
  /** Headers by lower-case name. The key is replaced by `[key]`. */
  readonly headers: Readonly<Record<string, string>>
  /** The JSON that would be sent. */
  readonly body: unknown
}

/** The request as the official SDK passes it to the network. Nothing is sent. */
export async function buildRequest({ provider: wire, history, tools, options }: AskedRequest): Promise<BuiltRequest> {
  const { model, system = '', effort = null, answerShape, baseUrl = null } = options
  const target = { provider: providerOf(wire), model }
  const turns = turnsOf(history, target)
  const flaw = flawOfImages(turns, target)
  if (flaw !== null) throw new Error(flaw)
  const { promise: built, resolve, reject } = Promise.withResolvers<BuiltRequest>()
  const provider = providerOverTransport(catching(resolve), wire, baseUrl)
  for await (const event of provider.stream(
    { model, system, tools, turns, effort, ...(answerShape && { answerShape }) },
    new AbortController().signal,
  ))
    if (event.kind === 'failure') reject(new Error(event.failure.message))
  provider.close()
  return built
}

/** A transport that records the request and sends nothing. */
function catching(take: (request: BuiltRequest) => void): Transport {
  return {
    fetch(url, init) {
      const body = Buffer.concat(piecesOf(init?.body)).toString() || '{}'
      const given = [...new PlainHeaders(init?.headers)]
      const headers: Readonly<Record<string, string>> = Object.fromEntries(
        given.map(([name, value]): [string, string] => [name, withoutKey(value, OFFLINE_KEY)]),
      )
      const address = typeof url === 'string' ? url : 'href' in url ? url.href : url.url
      take({ url: withoutKey(address, OFFLINE_KEY), headers, body: JSON.parse(body) as unknown })
      return Promise.reject(new Error('nothing was sent'))
    },
    body() {
      throw new Error('There is no answer.')
    },
    close: () => {},
  }
}

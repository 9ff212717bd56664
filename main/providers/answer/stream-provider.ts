import type { Clock } from '../../agent/ports/clock.ts'
import type { ModelRequest, Provider, ProviderEvent, ProviderFailure } from '../../agent/ports/provider.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import { failure } from '../failures.ts'
import { Exchange, type StreamLimits } from '../http/exchange.ts'
import { createTransport, type Transport } from '../http/transport.ts'
import { networkFailure } from '../network-failure.ts'
import { redacted } from '../redact.ts'
import type { AnswerReader } from './answer-reader.ts'
import { rateLimitsOf } from './rate-limit.ts'
import { type Batch, cutOff, type Ending, readAnswer } from './read-answer.ts'
import { refusal, streamOf } from './response-failure.ts'
import { shapedAnswer } from './shaped-answer.ts'
import { wrongTool } from './wrong-tool.ts'

export interface RemoteOptions {
  /** The service's name for people. */
  readonly label: string
  /** In the form of `checkBaseUrl` (D-49). */
  readonly baseUrl: string
  /** Asked before each request, so that a key that was just set counts at once. */
  readonly key: () => Promise<string | null>
  readonly clock: Clock
  readonly limits: StreamLimits
  readonly proxyEnv?: NodeJS.ProcessEnv
  /** Takes the place of the network: what is to be shown or replayed takes the way of real requests. */
  readonly transport?: Transport
}

/** A provider that owns sockets; `close` gives them back. */
export interface OpenProvider extends Provider {
  close(): void
}

/** What is a vendor's own: how it is asked, and how its answers are read. */
export interface WireFormat {
  readonly id: ProviderId
  readonly needsKey: boolean
  /** Loads the official SDK ahead of the first `send`. */
  load(): Promise<unknown>
  /**
   * Sends a request through the official SDK and resolves with a response of the transport with status 2xx. Rejects with an error that has
   * `status`, `headers` and `error` where the service refused, and with any other where it could not be reached. `key` may be empty.
   */
  send(request: ModelRequest, key: string, signal: AbortSignal): Promise<Response>
  reader(): AnswerReader
}

/** A provider that streams: everything that is the same for all vendors. `wire` gets the transport that its SDK is to use. */
export function createStreamProvider(options: RemoteOptions, wireOver: (transport: Transport) => WireFormat): OpenProvider {
  const { label, baseUrl, key: askKey, clock, limits, proxyEnv } = options
  const { host } = new URL(baseUrl)
  const transport = options.transport ?? createTransport({ clock, connectMs: limits.connectMs, ...(proxyEnv ? { proxyEnv } : {}) })
  const wire = wireOver(transport)

  /** Asks and reads; what breaks on the way is thrown. */
  async function* ask(request: ModelRequest, exchange: Exchange, reader: AnswerReader, key: string): AsyncGenerator<Batch> {
    const response = await wire.send(request, key, exchange.signal)
    const bytes = exchange.bytes(transport.body(response))
    const stream = await streamOf(response, bytes, label, host, key)
    if (!stream.ok) {
      yield { events: [], ending: { kind: 'failed', failure: stream.failure } }
      return
    }
    const rateLimits = rateLimitsOf((name) => response.headers.get(name))
    yield { events: [{ kind: 'start', ...(rateLimits && { rateLimits }) }], ending: null }
    for await (const batch of readAnswer(stream.value, reader, { service: label, host, key })) {
      if (batch.ending?.kind === 'complete') await exchange.drain()
      yield batch
    }
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ProviderEvent> {
    const exchange = new Exchange(label, clock, limits, signal)
    let isAnswered = false
    const reader = wire.reader()
    let key: string | null = null
    let ending: Ending = { kind: 'failed', failure: cutOff(label) }
    try {
      key = await askKey()
      const wrong = wrongRequest(request, label) ?? wrongKey(key, wire.needsKey, label)
      if (wrong) ending = { kind: 'failed', failure: wrong }
      else {
        for await (const batch of ask(request, exchange, reader, key ?? '')) {
          isAnswered = true
          ending = batch.ending ?? ending
          for (const event of batch.events) yield event
        }
      }
    } catch (error) {
      const broken =
        isAnswered || exchange.answering
          ? cutOff(label)
          : (refusal(error, label, host, key, clock.now()) ?? withoutKey(networkFailure(error, host), key))
      ending = { kind: 'failed', failure: broken }
    } finally {
      // Here, so that it happens too when the consumer leaves in the middle, and before it takes up the finished answer.
      exchange.end()
    }
    if (ending.kind === 'complete') {
      const shaped = shapedAnswer(reader.answer(), request.answerShape, label)
      yield shaped.ok ? { kind: 'finish', answer: shaped.value } : { kind: 'failure', failure: shaped.failure, partial: reader.answer() }
    } else yield { kind: 'failure', failure: exchange.broken ?? ending.failure, partial: reader.answer('error') }
  }
  const load = async (): Promise<void> => {
    transport.prepare?.(baseUrl)
    await wire.load()
  }
  // What cannot be loaded says so when it is used.
  const prepare = (): void => void load().catch(() => {})
  return { id: wire.id, prepare, stream, close: () => transport.close() }
}

function wrongRequest({ model, tools }: ModelRequest, label: string): ProviderFailure | null {
  if (model === '') return failure('configuration', `No model for ${label} is named.`)
  const tool = wrongTool(tools)
  return tool === null ? null : failure('configuration', tool)
}

/** A header can hold no more than visible ASCII; a line break or a blank in a key comes from pasting. Null: it can be used. */
export function wrongKey(key: string | null, isNeeded: boolean, label: string): ProviderFailure | null {
  if (!key) return isNeeded ? failure('configuration', `No key for ${label} is set.`, { cause: 'no_key' }) : null
  if (/^[\x21-\x7e]+$/.test(key)) return null
  const words = `The key for ${label} holds a blank, a line break or another character that no key has.`
  return failure('configuration', words, { cause: 'no_key' })
}

/** An error of a library may quote what it was given. */
function withoutKey(broken: ProviderFailure, key: string | null): ProviderFailure {
  return { ...broken, message: redacted(broken.message, key) }
}

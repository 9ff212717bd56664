import type { ModelRequest, Provider, ProviderEvent, ProviderFailure, RateLimit, RateLimits } from '../../agent/ports/provider.ts'
import { Exchange } from '../http/exchange.ts'
import { createTransport, type Transport } from '../http/transport.ts'
import { networkFailure } from '../failures/network-failure.ts'
import { withoutKey } from '../failures/redact-key.ts'
import type { AnswerReader } from './answer-reader.ts'
import { type Batch, cutOff, type Ending, readAnswer } from './read-answer.ts'
import { refusal, streamOf } from './response-failure.ts'
import { createRequestOverrides } from './request-overrides.ts'
import { leftOut, sendWithoutRefused } from './send-without-refused.ts'
import { shapedAnswer } from './shaped-answer.ts'
import type { RemoteOptions, Sent, WireFormat } from './wire-format.ts'
import { wrongKey, wrongRequest } from './wrong-request.ts'

/** A provider that owns sockets; `close` closes them. */
export interface OpenProvider extends Provider {
  close(): void
}

/**
 * Creates a provider that streams answers, with everything that vendors have in common. `wireOver` creates the vendor-specific part for a
 * transport.
 */
export function createStreamProvider(options: RemoteOptions, wireOver: (transport: Transport) => WireFormat): OpenProvider {
  const { label, baseUrl, key: askKey, clock, limits, proxyEnv } = options
  const { host } = new URL(baseUrl)
  const transport = options.transport ?? createTransport({ clock, connectMs: limits.connectMs, ...(proxyEnv ? { proxyEnv } : {}) })
  const wire = wireOver(transport)
  const requests = createRequestOverrides(`${wire.id} ${baseUrl}`, wire.id, options)

  /** Sends the request and reads the answer. Throws if the connection fails. */
  async function* ask(sent: Sent, exchange: Exchange, reader: AnswerReader, key: string): AsyncGenerator<Batch> {
    const { response, left } = await sendWithoutRefused(wire, requests, sent, key, exchange.signal)
    const bytes = exchange.bytes(transport.body(response))
    const stream = await streamOf(response, bytes, label, host, key)
    if (!stream.ok) {
      yield { events: [], ending: { kind: 'failed', failure: stream.failure } }
      return
    }
    const rateLimits = rateLimitsOf((name) => response.headers.get(name))
    yield { events: [{ kind: 'start', ...(rateLimits && { rateLimits }) }], ending: null }
    for (const one of left) yield { events: [{ kind: 'notice', trouble: leftOut(label, sent.request.model, one, key) }], ending: null }
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
        for await (const batch of ask(requests.next(request), exchange, reader, key ?? '')) {
          isAnswered = true
          ending = batch.ending ?? ending
          for (const event of batch.events) yield event
        }
      }
    } catch (error) {
      const broken =
        isAnswered || exchange.answering
          ? cutOff(label)
          : (refusal(error, label, host, key, clock.now()) ?? failureWithoutKey(networkFailure(error, host), key))
      ending = { kind: 'failed', failure: broken }
    } finally {
      // This runs even if the consumer stops early, and always before the consumer gets the finished answer.
      exchange.end()
    }
    if (ending.kind === 'complete') {
      const shaped = shapedAnswer(reader.answer(), request.answerShape, label)
      yield shaped.ok ? { kind: 'finish', answer: shaped.value } : { kind: 'failure', failure: shaped.failure, partial: reader.answer() }
    } else {
      const why = exchange.broken ?? ending.failure
      if (why.code === 'context_length') requests.tooLong(request.model, why.message)
      yield { kind: 'failure', failure: why, partial: reader.answer('error') }
    }
  }
  const load = async (): Promise<void> => {
    transport.prepare?.(baseUrl)
    await wire.load()
  }
  // The failure is ignored here, because it is reported when the SDK is used.
  const prepare = (): void => void load().catch(() => {})
  return { id: wire.id, prepare, stream, close: () => transport.close() }
}

/** A library's error may quote the key. */
function failureWithoutKey(broken: ProviderFailure, key: string | null): ProviderFailure {
  return { ...broken, message: withoutKey(broken.message, key) }
}

/**
 * The rate limits in an answer's headers: Anthropic's `anthropic-ratelimit-requests-remaining`; `x-ratelimit-remaining-requests` of
 * OpenAI and others. Null if there are none. For information only.
 */
function rateLimitsOf(header: (name: string) => string | null): RateLimits | null {
  const requests = limitOf('requests', header)
  const tokens = limitOf('tokens', header)
  return requests || tokens ? { requests, tokens } : null
}

function limitOf(of: 'requests' | 'tokens', header: (name: string) => string | null): RateLimit | null {
  const read = (what: 'limit' | 'remaining'): number | null =>
    count(header(`anthropic-ratelimit-${of}-${what}`) ?? header(`x-ratelimit-${what}-${of}`))
  const limit = read('limit')
  const remaining = read('remaining')
  return limit === null && remaining === null ? null : { limit, remaining }
}

function count(text: string | null): number | null {
  return text !== null && /^\s*\d+\s*$/.test(text) ? Number(text) : null
}

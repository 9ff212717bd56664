import type { Clock } from '../../agent/ports/clock.ts'
import type { ModelRequest, Provider, ProviderEvent, ProviderFailure } from '../../agent/ports/provider.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import { failure } from '../failures.ts'
import { Exchange, type StreamLimits } from '../http/exchange.ts'
import { createTransport } from '../http/transport.ts'
import { networkFailure } from '../network-failure.ts'
import { redacted } from '../redact.ts'
import { AnswerBuilder } from './answer-builder.ts'
import { clientPerKey } from './client.ts'
import { type Batch, cutOff, type Ending, readAnswer } from './read-answer.ts'
import { createBodyWriter } from './request-body.ts'
import { refusal, unexpectedBody } from './response-failure.ts'

export interface AnthropicOptions {
  /** Whose turns these become in the log; the rehearsal speaks the same format. */
  readonly id: Extract<ProviderId, 'anthropic' | 'rehearsal'>
  /** The service's name for people. */
  readonly label: string
  /** Without `/v1` (D-49). */
  readonly baseUrl: string
  /** Asked before each request, so that a key that was just set counts at once. */
  readonly key: () => Promise<string | null>
  readonly clock: Clock
  readonly limits: StreamLimits
  readonly proxyEnv?: NodeJS.ProcessEnv
}

/** A provider that owns sockets; `close` gives them back. */
export interface OpenProvider extends Provider {
  close(): void
}

/** Anthropic's Messages API over its official SDK, which is imported with the first request. */
export function createAnthropic({ id, label, baseUrl, key: askKey, clock, limits, proxyEnv }: AnthropicOptions): OpenProvider {
  const { host } = new URL(baseUrl)
  const transport = createTransport({ clock, connectMs: limits.connectMs, ...(proxyEnv ? { proxyEnv } : {}) })
  const write = createBodyWriter(id)
  const clientFor = clientPerKey(baseUrl, transport.fetch)

  const send = async (request: ModelRequest, key: string, signal: AbortSignal): Promise<Response> => {
    const client = await clientFor(key)
    signal.throwIfAborted()
    // Finished bytes are passed on as they are; the SDK would write the whole history anew for each request.
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
    return client.post('/v1/messages', { body: write(request), headers, signal }).asResponse()
  }

  /** Asks and reads; what breaks on the way is thrown. */
  async function* ask(request: ModelRequest, exchange: Exchange, builder: AnswerBuilder, key: string): AsyncGenerator<Batch> {
    const response = await send(request, key, exchange.signal)
    const bytes = exchange.bytes(transport.body(response))
    const unexpected = await unexpectedBody(response, bytes, label, host, key)
    if (unexpected) {
      yield { events: [], ending: { kind: 'failed', failure: unexpected } }
      return
    }
    yield { events: [{ kind: 'start' }], ending: null }
    for await (const batch of readAnswer(bytes, builder, { service: label, host, key })) {
      if (batch.ending?.kind === 'complete') await exchange.drain()
      yield batch
    }
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ProviderEvent> {
    const exchange = new Exchange(label, clock, limits, signal)
    const builder = new AnswerBuilder()
    let key: string | null = null
    let ending: Ending = { kind: 'failed', failure: cutOff(label) }
    try {
      key = await askKey()
      if (!key) ending = { kind: 'failed', failure: noKey(label) }
      else if (!isKey(key)) ending = { kind: 'failed', failure: noSuchKey(label) }
      else {
        for await (const batch of ask(request, exchange, builder, key)) {
          ending = batch.ending ?? ending
          for (const event of batch.events) yield event
        }
      }
    } catch (error) {
      const broken = exchange.answering
        ? cutOff(label)
        : (refusal(error, label, host, key, clock.now()) ?? withoutKey(networkFailure(error, host), key))
      ending = { kind: 'failed', failure: broken }
    } finally {
      // Here, so that it happens too when the consumer leaves in the middle, and before it takes up the finished answer.
      exchange.end()
    }
    if (ending.kind === 'complete') yield { kind: 'finish', answer: builder.answer() }
    else yield { kind: 'failure', failure: exchange.broken ?? ending.failure, partial: builder.answer('error') }
  }
  return { id, stream, close: () => transport.close() }
}

function noKey(label: string): ProviderFailure {
  return failure('configuration', `No key for ${label} is set.`, { cause: 'no_key' })
}

/** A header can hold no more than this; a line break or a blank in it comes from pasting. */
const isKey = (key: string): boolean => /^[\x21-\x7e]+$/.test(key)

function noSuchKey(label: string): ProviderFailure {
  return failure('configuration', `The key for ${label} holds a blank, a line break or another character that no key has.`, {
    cause: 'no_key',
  })
}

/** An error of a library may quote what it was given. */
function withoutKey(broken: ProviderFailure, key: string | null): ProviderFailure {
  return { ...broken, message: redacted(broken.message, key) }
}

import type { ReasonText } from '../../../main/agent/reason.ts'
import { Readable } from 'node:stream'
import type { Result } from '../../../shared/lib/result.ts'
import { partsText, type ToolCallPart, type Usage } from '../../../shared/session/content.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import type { ModelAnswer, ProviderEvent, ProviderFailure } from '../../../main/agent/ports/provider.ts'
import { PlainHeaders } from '../../../main/providers/http/plain-headers.ts'
import { plainResponse } from '../../../main/providers/http/plain-response.ts'
import type { Transport } from '../../../main/providers/http/transport.ts'
import { providerOverTransport, type WireName } from './provider-over-transport.ts'
import { addJoined } from '../../../main/providers/answer/join-events.ts'

/** A recorded response. `cut` means that the connection broke after the last chunk. */
export interface RecordedResponse {
  readonly provider: WireName
  readonly chunks: readonly Uint8Array[]
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly end: 'clean' | 'cut'
}

interface DecodedCall {
  readonly id: string
  readonly name: string
  /** The arguments as an object, or the raw text if it is not a valid object. */
  readonly args: unknown
  /** Whether an agent may execute the call, because the answer and the arguments are complete. */
  readonly executable: boolean
}

export interface DecodedStream {
  /** The events of the stream. They do not depend on how the bytes were divided. */
  readonly events: readonly Shown[]
  readonly message: { readonly text: string; readonly reasoning: string }
  readonly toolCalls: readonly DecodedCall[]
  /** The stop reason. For a single request, a paused answer counts as a stop. `pause` and `other` are internal values. */
  readonly stopReason: Exclude<StopReason, 'other' | 'pause'>
  readonly usage: Usage
  readonly error: Pick<ProviderFailure, 'code' | 'message' | 'retryAfterMs'> | null
}

/** Parses the arguments of a call as the agent does. */
export type ReadArguments = (argsText: string, stopReason: StopReason) => Result<unknown, ReasonText>

/** Reads a recorded response with the same adapter as a live answer. Never rejects. */
export async function decodeStream(recorded: RecordedResponse, readArguments: ReadArguments): Promise<DecodedStream> {
  const provider = providerOverTransport(recordedTransport(recorded), recorded.provider, null)
  const request = { model: 'recorded', system: '', tools: [], turns: [{ kind: 'user', content: '-' }], effort: null } as const
  const events: ProviderEvent[] = []
  for await (const event of provider.stream(request, new AbortController().signal)) events.push(event)
  provider.close()
  const last = events.at(-1)
  if (last?.kind === 'finish') return decoded(events, last.answer, null, readArguments)
  if (last?.kind === 'failure') return decoded(events, last.partial, last.failure, readArguments)
  throw new Error('The stream of a provider ended without a finish event or a failure event.')
}

/** A transport that answers with the recorded response. */
function recordedTransport({ chunks, status, headers, end }: RecordedResponse): Transport {
  return {
    fetch() {
      const isGood = status >= 200 && status < 300
      return Promise.resolve(plainResponse(status, new PlainHeaders(headers), isGood ? '' : Buffer.concat(chunks).toString('utf8')))
    },
    body: () => Readable.from(arriving(chunks, end)),
    close: () => {},
  }
}

async function* arriving(chunks: RecordedResponse['chunks'], end: RecordedResponse['end']): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) if (chunk.byteLength > 0) yield chunk
  if (end === 'cut') throw Object.assign(new Error('the recorded connection broke here'), { code: 'ECONNRESET' })
}

function decoded(
  events: readonly ProviderEvent[],
  { parts, stopReason, endedWith, usage }: ModelAnswer,
  failure: ProviderFailure | null,
  readArguments: ReadArguments,
): DecodedStream {
  const calls = parts.filter((part) => part.kind === 'tool_call')
  const isGood = failure === null && MAY_CALL.has(stopReason)
  const end = failure || stopReason === 'other' ? 'error' : stopReason === 'pause' ? 'stop' : stopReason
  return {
    events: joinedEvents(events),
    message: { text: partsText(parts, 'text'), reasoning: partsText(parts, 'thinking') },
    toolCalls: calls.map((call, index) => {
      const read = readArguments(call.argsText, stopReason)
      const executable = isGood && read.ok && call.toolName !== '' && isFirstOfItsId(call, index, calls)
      return { id: call.toolCallId, name: call.toolName, args: read.ok ? read.value : call.argsText, executable }
    }),
    stopReason: end,
    usage,
    error: failure
      ? { code: failure.code, message: failure.message, retryAfterMs: failure.retryAfterMs }
      : end === 'error'
        ? noEnd(endedWith)
        : null,
  }
}

/** Stop reasons after which calls may be executed. After `length`, only complete calls may be executed. */
const MAY_CALL: ReadonlySet<StopReason> = new Set(['stop', 'tool_calls', 'length'])

/** The error for an answer that ended abnormally or without a stop reason, although the connection did not break. */
function noEnd(word: string | undefined): DecodedStream['error'] {
  const message = word === undefined ? 'The answer gives no reason for its end.' : `The service ended the answer with “${word}”.`
  return { code: 'unknown', message, retryAfterMs: null }
}

/** Of two calls with the same id, only the first may be executed. */
function isFirstOfItsId({ toolCallId }: ToolCallPart, index: number, calls: readonly ToolCallPart[]): boolean {
  return calls.findIndex((call) => call.toolCallId === toolCallId) === index
}

/** An event as it is returned. The last event does not contain the answer. */
type Shown = Exclude<ProviderEvent, { kind: 'finish' | 'failure' }> | { readonly kind: 'finish' | 'failure' }

/** The events with consecutive pieces merged, so that the result does not depend on how the bytes were divided. */
function joinedEvents(events: readonly ProviderEvent[]): readonly Shown[] {
  const joined: ProviderEvent[] = []
  for (const event of events) addJoined(joined, event)
  return joined.map((event) => (event.kind === 'finish' || event.kind === 'failure' ? { kind: event.kind } : event))
}

import type { ProviderEvent, ProviderFailure } from '../../agent/ports/provider.ts'
import { failure, failureOfStreamError } from '../failures.ts'
import { type SseFrame, SseReader } from '../http/sse.ts'
import { type AnswerBuilder, MalformedStream } from './answer-builder.ts'
import { notAStream } from './response-failure.ts'

/** What ended the reading: the terminal event, or a failure that the stream itself told. */
export type Ending = { readonly kind: 'complete' } | { readonly kind: 'failed'; readonly failure: ProviderFailure }

/** Characters of a body without a single frame that are looked at. */
const LOOKED_AT = 4_096

/** Reads the events of an answer into the builder and shows what can be shown. A body that breaks off rejects, or ends as `cut_off`. */
export async function* readAnswer(
  bytes: AsyncIterable<Uint8Array>,
  builder: AnswerBuilder,
  service: string,
  host: string,
  key: string | null,
): AsyncGenerator<ProviderEvent, Ending> {
  const reader = new SseReader()
  let framed = false
  let start = ''
  for await (const chunk of bytes) {
    const frames = reader.push(chunk)
    framed ||= frames.length > 0
    if (!framed && start.length < LOOKED_AT) start += Buffer.from(chunk).toString('utf8')
    for (const frame of frames) {
      const ending = yield* takeFrame(frame, builder, service, key, false)
      if (ending) return ending
    }
  }
  for (const frame of framed ? reader.end() : []) {
    const ending = yield* takeFrame(frame, builder, service, key, true)
    if (ending) return ending
  }
  if (!framed && !mayBeginStream(start)) return { kind: 'failed', failure: notAStream(service, host, start) }
  return { kind: 'failed', failure: cutOff(service) }
}

/** Whether a stream could begin so: what came is a field of a frame, or the beginning of one, or nothing. */
function mayBeginStream(start: string): boolean {
  const text = start.replace(/^[\uFEFF\s]+/, '')
  return ['event:', 'data:', 'id:', 'retry:', ':'].some((field) => text.startsWith(field) || field.startsWith(text))
}

export function cutOff(service: string): ProviderFailure {
  return failure('cut_off', `The answer of ${service} broke off before its end.`)
}

/** `last`: the body ended in the middle of this frame, so that what cannot be read is no fault of its own. */
function* takeFrame(
  frame: SseFrame,
  builder: AnswerBuilder,
  service: string,
  key: string | null,
  last: boolean,
): Generator<ProviderEvent, Ending | null> {
  if (frame.event === 'ping') return null
  let event: unknown
  try {
    event = JSON.parse(frame.data)
  } catch {
    if (last || frame.data === '[DONE]') return null
    return { kind: 'failed', failure: malformed(service, 'an event is not valid JSON') }
  }
  try {
    const step = builder.take(event)
    if (step?.kind === 'shown') yield step.event
    if (step?.kind === 'complete') return step
    if (step?.kind === 'reported') return { kind: 'failed', failure: failureOfStreamError(service, step.error.type, step.error.words, key) }
    return null
  } catch (error) {
    if (error instanceof MalformedStream) return { kind: 'failed', failure: malformed(service, error.message) }
    throw error
  }
}

function malformed(service: string, why: string): ProviderFailure {
  return failure('malformed', `The answer of ${service} cannot be read: ${why}.`)
}

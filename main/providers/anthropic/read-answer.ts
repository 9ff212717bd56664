import type { ProviderEvent, ProviderFailure } from '../../agent/ports/provider.ts'
import { failure, failureOfStreamError } from '../failures.ts'
import { type SseFrame, SseReader } from '../http/sse.ts'
import { type AnswerBuilder, MalformedStream } from './answer-builder.ts'
import { notAStream } from './response-failure.ts'

/** What ended the reading: the terminal event, or a failure that the stream itself told. */
export type Ending = { readonly kind: 'complete' } | { readonly kind: 'failed'; readonly failure: ProviderFailure }

/** What one piece of the body brought. `ending` comes once, with the last batch. */
export interface Batch {
  readonly events: readonly ProviderEvent[]
  readonly ending: Ending | null
}

export interface ReadFacts {
  /** The service by its name. */
  readonly service: string
  readonly host: string
  readonly key: string | null
}

/** Characters of a body without a single frame that are looked at. */
const LOOKED_AT = 4_096

/**
 * Reads the events of an answer into the builder and shows what can be shown, what came together in one piece. A body that breaks off
 * rejects, or ends as `cut_off`.
 */
export async function* readAnswer(bytes: AsyncIterable<Uint8Array>, builder: AnswerBuilder, facts: ReadFacts): AsyncGenerator<Batch> {
  const reader = new SseReader()
  let framed = false
  let start = ''
  for await (const chunk of bytes) {
    const frames = reader.push(chunk)
    framed ||= frames.length > 0
    if (!framed && start.length < LOOKED_AT) start += Buffer.from(chunk).toString('utf8')
    const batch = takeFrames(frames, builder, facts, false)
    yield batch
    if (batch.ending) return
  }
  const { events, ending } = takeFrames(framed ? reader.end() : [], builder, facts, true)
  const notAny = !framed && !mayBeginStream(start)
  yield {
    events,
    ending: ending ?? { kind: 'failed', failure: notAny ? notAStream(facts.service, facts.host, start) : cutOff(facts.service) },
  }
}

/** Whether a stream could begin so: what came is a field of a frame, or the beginning of one, or nothing. */
function mayBeginStream(start: string): boolean {
  const text = start.replace(/^[\uFEFF\s]+/, '')
  return ['event:', 'data:', 'id:', 'retry:', ':'].some((field) => text.startsWith(field) || field.startsWith(text))
}

export function cutOff(service: string): ProviderFailure {
  return failure('cut_off', `The answer of ${service} broke off before its end.`)
}

/** `last`: the body ended in the middle of the newest frame, so that what cannot be read is no fault of its own. */
function takeFrames(frames: readonly SseFrame[], builder: AnswerBuilder, facts: ReadFacts, last: boolean): Batch {
  const events: ProviderEvent[] = []
  for (const frame of frames) {
    const step = stepOf(frame, builder, facts, last)
    if (step?.kind === 'shown') show(events, step.event)
    else if (step) return { events, ending: step }
  }
  return { events, ending: null }
}

type Step = Extract<ReturnType<AnswerBuilder['take']>, { kind: 'shown' }> | Ending | null

function stepOf(frame: SseFrame, builder: AnswerBuilder, { service, key }: ReadFacts, last: boolean): Step {
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
    if (step?.kind !== 'reported') return step
    return { kind: 'failed', failure: failureOfStreamError(service, step.error.type, step.error.words, key) }
  } catch (error) {
    if (error instanceof MalformedStream) return { kind: 'failed', failure: malformed(service, error.message) }
    throw error
  }
}

/** What is shown one after the other anyway is shown at once: whoever watches is called once a piece, not once a word. */
function show(events: ProviderEvent[], event: ProviderEvent): void {
  const before = events.at(-1)
  if (event.kind === 'text' && before?.kind === 'text') events[events.length - 1] = { kind: 'text', text: before.text + event.text }
  else if (event.kind === 'thinking' && before?.kind === 'thinking')
    events[events.length - 1] = { kind: 'thinking', text: before.text + event.text }
  else if (event.kind === 'call' && before?.kind === 'call' && before.toolName === event.toolName && event.chars > 0)
    events[events.length - 1] = event
  else events.push(event)
}

function malformed(service: string, why: string): ProviderFailure {
  return failure('malformed', `The answer of ${service} cannot be read: ${why}.`)
}

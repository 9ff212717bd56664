import type { ProviderEvent, ProviderFailure } from '../../agent/ports/provider.ts'
import { failure, failureOfStreamError } from '../failures/failures.ts'
import { type SseFrame, SseReader } from '../http/sse.ts'
import { addJoined } from './join-events.ts'
import { type AnswerReader, MalformedStream, type ReportedError, type Step } from './answer-reader.ts'
import { levelled, optional } from './untyped-fields.ts'
import { namedError } from './error-in-frame.ts'
import { notAStream } from './response-failure.ts'

/** The result of reading: a complete answer, or a failure. */
export type Ending = { readonly kind: 'complete' } | { readonly kind: 'failed'; readonly failure: ProviderFailure }

/** The result of one chunk of the body. Only the last batch has an `ending`. */
export interface Batch {
  readonly events: readonly ProviderEvent[]
  readonly ending: Ending | null
}

export interface ReadFacts {
  /** The service's display name. */
  readonly service: string
  readonly host: string
  readonly key: string | null
}

/** The last frame of the streams of OpenAI and many other services. */
const DONE = '[DONE]'
/**
 * The longest answer that is read, in bytes of its body and in characters of its text and thinking. The longest answers that models give
 * (128,000 tokens) take less than 40 MB and 1,000,000 characters, or six times as many bytes if a service sends one word per event. A
 * longer answer is stopped before it fills the memory.
 */
export const LONGEST_ANSWER = { bytes: 256_000_000, chars: 8_000_000 } as const
/** Maximum number of characters that are examined if a body contains no frame. */
const LOOKED_AT = 4_096

/**
 * Passes the events of a stream to the reader and yields everything that can be shown, one batch per chunk. Rejects if the connection
 * breaks. A body that ends early yields `cut_off`.
 */
export async function* readAnswer(bytes: AsyncIterable<Uint8Array>, reader: AnswerReader, facts: ReadFacts): AsyncGenerator<Batch> {
  const sse = new SseReader()
  let byteCount = 0
  let charCount = 0
  let framed = false
  let start = ''
  for await (const chunk of bytes) {
    const frames = sse.push(chunk).flatMap(separated)
    framed ||= frames.length > 0
    if (!framed && start.length < LOOKED_AT) start += Buffer.from(chunk).toString('utf8')
    const batch = takeFrames(frames, reader, facts)
    byteCount += chunk.length
    charCount += batch.events.reduce((sum, event) => sum + ('text' in event ? event.text.length : 0), 0)
    const isTooLong = byteCount > LONGEST_ANSWER.bytes || charCount > LONGEST_ANSWER.chars
    const ending = batch.ending ?? (isTooLong ? { kind: 'failed' as const, failure: tooLong(facts.service) } : null)
    yield { ...batch, ending }
    if (ending) return
  }
  yield endOf(reader, sse, framed || mayBeginStream(start) ? null : start, facts)
}

/**
 * Returns the last batch after a normal end of the body. `notAny` is the start of the body if the body is not an event stream, otherwise
 * null.
 */
function endOf(reader: AnswerReader, sse: SseReader, notAny: string | null, facts: ReadFacts): Batch {
  if (notAny !== null)
    return { events: [], ending: strayFailure(notAny, facts) ?? { kind: 'failed', failure: notAStream(facts.service, facts.host, notAny) } }
  const frames = sse.end().flatMap(separated)
  // The body ended inside its last frame, so that frame is incomplete rather than malformed.
  const torn = frames.some(({ data }) => data.trim() !== DONE && data.trim() !== '' && !isJson(data))
  const { events, ending } = torn ? { events: [], ending: null } : takeFrames(frames, reader, facts)
  if (ending) return { events, ending }
  const isWhole = !torn && reader.isWhole('end of body')
  const beside = strayFailure(sse.stray, facts)
  return { events, ending: beside ?? (isWhole ? { kind: 'complete' } : { kind: 'failed', failure: cutOff(facts.service) }) }
}

/** The failure that is reported in lines that are not part of the stream. */
function strayFailure(lines: string, { service, key }: ReadFacts): Ending | null {
  const error = strayError(lines)
  return error && { kind: 'failed', failure: failureOfStreamError(service, error, key) }
}

/** An error outside the frames of the stream: in plain JSON (Gemini), or in a field named `error` (llama.cpp). */
function strayError(lines: string): ReportedError | null {
  const json = lines.trim().replace(/^error:/, '')
  if (!/^[\s[]*\{/.test(json) || !isJson(json)) return null
  const said: unknown = [JSON.parse(json)].flat()[0]
  const error = optional(said)['error'] ?? (lines.startsWith('error:') ? said : null)
  return error === null ? null : namedError(JSON.stringify({ error }))
}

/** Whether this text could be the start of a stream: it is empty, or it is a field of a frame or the start of one. */
function mayBeginStream(start: string): boolean {
  const text = start.replace(/^[\uFEFF\s]+/, '')
  return ['event:', 'data:', 'id:', 'retry:', ':'].some((field) => text.startsWith(field) || field.startsWith(text))
}

export function cutOff(service: string): ProviderFailure {
  return failure('cut_off', `The answer of ${service} ended early.`)
}

/** The failure for an answer that is too long. It is not retried automatically, because another endless answer would cost as much again. */
function tooLong(service: string): ProviderFailure {
  return failure('malformed', `The answer of ${service} was stopped: it is longer than the longest answer of any model.`, {
    retryable: false,
  })
}

function takeFrames(frames: readonly SseFrame[], reader: AnswerReader, facts: ReadFacts): Batch {
  const events: ProviderEvent[] = []
  for (const frame of frames) {
    const step = stepOf(frame, reader, facts)
    if (step?.kind === 'shown') for (const event of step.events) addJoined(events, event)
    else if (step) return { events, ending: step }
  }
  return { events, ending: null }
}

function stepOf(frame: SseFrame, reader: AnswerReader, { service, key }: ReadFacts): Extract<Step, { kind: 'shown' }> | Ending | null {
  const data = frame.data.trim()
  if (data === '' || isSignOfLife(frame)) return null
  if (data === DONE) return reader.isWhole('done') ? { kind: 'complete' } : null
  const named = frame.event === 'error' ? ({ kind: 'reported', error: namedError(data) } as const) : null
  let event: unknown
  try {
    event = levelled(JSON.parse(data), data)
  } catch {
    return named ? failedWith(named.error) : { kind: 'failed', failure: malformed(service, 'an event is not valid JSON') }
  }
  try {
    const step = reader.take(event) ?? named
    return step?.kind === 'reported' ? failedWith(step.error) : step
  } catch (error) {
    if (!(error instanceof MalformedStream)) throw error
    return named ? failedWith(named.error) : { kind: 'failed', failure: malformed(service, error.message) }
  }
  function failedWith(error: ReportedError): Ending {
    return { kind: 'failed', failure: failureOfStreamError(service, error, key) }
  }
}

/** Splits a frame whose lines are separate events, because some servers separate events with a single line break. */
function separated(frame: SseFrame): readonly SseFrame[] {
  if (!frame.data.includes('\n') || isJson(frame.data)) return [frame]
  const events = frame.data.split('\n').map((data) => ({ ...frame, data }))
  return events.every(({ data }) => data.trim() === DONE || data.trim() === '' || isJson(data)) ? events : [frame]
}

/** Keep-alive frames. */
function isSignOfLife({ event }: SseFrame): boolean {
  return event !== null && /^(ping|keep-?alive|heart-?beat)$/i.test(event)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function malformed(service: string, why: string): ProviderFailure {
  return failure('malformed', `The answer of ${service} cannot be read: ${why}.`)
}

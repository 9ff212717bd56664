import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { ProviderFailure } from '../../agent/ports/provider.ts'
import { failure, failureOfResponse, failureOfStreamError, isKnownType } from '../failures/failures.ts'
import { PlainHeaders } from '../http/plain-headers.ts'
import { withCause, withToolPlaces } from './error-in-frame.ts'

/** Maximum number of bytes of an unexpected body that are read. */
const LOOKED_AT = 65_536
/** Maximum size in bytes of an answer that is not streamed. */
const LONGEST_ANSWER = 16 * 1024 * 1024

/**
 * The failure for an error response that the SDK threw; null for other errors. Such an error is recognized by its members, because the
 * SDK's classes are loaded lazily.
 */
export function refusal(error: unknown, service: string, host: string, key: string | null, nowMs: number): ProviderFailure | null {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null
  const { status } = error
  const headers = 'headers' in error && error.headers instanceof PlainHeaders ? error.headers : new PlainHeaders()
  if (status >= 300 && status < 400) return redirected(host, headers.get('location'), status)
  const text = error.message.replace(/^\d+ /, '').replace(/^status code \(no body\)$/, '')
  const said = ('error' in error ? error.error : undefined) ?? inFrames(text)
  const body = said === undefined ? text : JSON.stringify(said)
  const { type, words } = saidIn(said)
  return failureOfResponse({
    service,
    status,
    type,
    words: words ?? wordsOf(body),
    body,
    key,
    nowMs,
    header: (name) => headers.get(name),
  })
}

/**
 * Returns the body of a successful response as an event stream, even if its content type is JSON. The answer of a service that does not
 * stream is converted to a stream with one event. Any other body is a failure, such as the network's sign-in page or an error in plain
 * JSON.
 */
export async function streamOf(
  response: Response,
  bytes: AsyncIterable<Uint8Array>,
  service: string,
  host: string,
  key: string | null,
): Promise<Result<AsyncIterable<Uint8Array>, ProviderFailure>> {
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'text/html') return failed(page(host, type, titleOf(await start(bytes, LOOKED_AT))))
  if (!/^application\/([\w.-]+\+)?json$/.test(type)) return ok(bytes)
  const { begun, rest } = await peeked(bytes)
  if (!/^\uFEFF?\s*[[{]/.test(begun.toString('utf8'))) return ok(rest)
  const body = await start(rest, LONGEST_ANSWER)
  const value = parsed(body)
  const { type: kind, words } = saidIn(value)
  const events = Array.isArray(value) ? value : [value]
  if (events.every(isAnswer)) return ok(inOnePiece(events))
  if (kind !== null || words !== null) return failed(failureOfStreamError(service, { type: kind, words: words ?? '', body }, key))
  return failed(failure('malformed', `${service} answered with ${type} instead of an event stream.`, { status: response.status }))
}

/** Answers of Chat Completions and Gemini have the same form as the events of their streams. */
function isAnswer(value: unknown): boolean {
  return member(value, 'choices') !== undefined || member(value, 'candidates') !== undefined
}

async function* inOnePiece(events: readonly unknown[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
}

/** The failure for a body that was announced as a stream but is not one. */
export function notAStream(service: string, host: string, body: string): ProviderFailure {
  if (/^\s*<(!doctype|html)/i.test(body)) return page(host, 'text/html', titleOf(body))
  return failure('malformed', `${service} did not answer with an event stream.`)
}

function page(host: string, type: string, title: string | null): ProviderFailure {
  const named = title === null ? '' : `, “${title}”`
  return failure('malformed', `Received a web page instead of an answer from ${host} (${type}${named}).`, {
    cause: 'html',
    retryable: false,
  })
}

function redirected(host: string, location: string | null, status: number): ProviderFailure {
  const target = location !== null && URL.canParse(location, `https://${host}`) ? ` to ${new URL(location, `https://${host}`).host}` : ''
  const words = `${host} redirects the request${target} (${status}); the redirect was not followed, because following it would send the key to that address.`
  return failure('malformed', words, { cause: 'redirect', status, retryable: false })
}

/** The error in a response body that is written like a stream event. */
function inFrames(text: string): unknown {
  const data = /^(?:event:[^\n]*\n)?data:(.+)$/m.exec(text)?.[1]
  return data === undefined ? undefined : parsed(data)
}

interface Said {
  readonly type: string | null
  readonly words: string | null
}

/**
 * Reads `{"error": {"type" | "code" | "status", "message"}}`, the form of most services. Some services wrap it in a list, and an SDK may
 * pass only the object inside `error`.
 */
function saidIn(said: unknown): Said {
  const body: unknown = Array.isArray(said) ? said[0] : said
  const error = member(body, 'error') ?? body
  const types = [member(error, 'code'), member(error, 'status'), member(error, 'type')].filter((type) => typeof type === 'string')
  const words = [member(error, 'message'), error, member(body, 'message'), member(body, 'detail'), member(body, 'msg')].find(
    (one) => typeof one === 'string',
  )
  return {
    type: types.find(isKnownType) ?? types.at(-1) ?? null,
    words: words === undefined ? null : withToolPlaces(withCause(words, error).slice(0, 500), error),
  }
}

function member(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The start of the text, or the title of a web page. */
function wordsOf(body: string): string {
  if (/^\s*</.test(body)) return titleOf(body) ?? ''
  return body.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
}

function titleOf(html: string): string | null {
  return /<title[^>]*>([^<]{1,120})/i.exec(html)?.[1]?.replaceAll(/\s+/g, ' ').trim() || null
}

/** Reads a body up to its first non-space character. Returns that part and the complete body. */
async function peeked(bytes: AsyncIterable<Uint8Array>): Promise<{ readonly begun: Buffer; readonly rest: AsyncIterable<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let next = await iterator.next()
  while (next.done !== true) {
    chunks.push(next.value)
    if (/\S/.test(Buffer.from(next.value).toString('latin1'))) break
    next = await iterator.next()
  }
  const following = { [Symbol.asyncIterator]: () => iterator }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
      yield* following
    } finally {
      // This closes the body even if the consumer stops before it has read all of `chunks`.
      await iterator.return?.()
    }
  }
  return { begun: Buffer.concat(chunks), rest: whole() }
}

async function start(bytes: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size >= most) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

import type { ProviderFailure } from '../../agent/ports/provider.ts'
import { failure, failureOfResponse, failureOfStreamError, isKnownType } from '../failures.ts'
import { PlainHeaders } from '../http/plain-headers.ts'

/** Bytes of an unexpected body that are looked at. */
const LOOKED_AT = 65_536

/** What the SDK throws for a response that is no answer; anything else is null. Told by its form: its classes are loaded with the first request. */
export function refusal(error: unknown, service: string, host: string, key: string | null, nowMs: number): ProviderFailure | null {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null
  const { status } = error
  const headers = 'headers' in error && error.headers instanceof PlainHeaders ? error.headers : new PlainHeaders()
  if (status >= 300 && status < 400) return redirected(host, headers.get('location'), status)
  const said = 'error' in error ? error.error : undefined
  const body = said === undefined || said === null ? error.message.replace(/^\d+ /, '') : JSON.stringify(said)
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

/** A good status with something else than an event stream: a sign-in page of the network, an error in plain JSON. Null: it may be one. */
export async function unexpectedBody(
  response: Response,
  bytes: AsyncIterable<Uint8Array>,
  service: string,
  host: string,
  key: string | null,
): Promise<ProviderFailure | null> {
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type !== 'text/html' && !/^application\/([\w.-]+\+)?json$/.test(type)) return null
  const body = await start(bytes)
  if (type === 'text/html') return page(host, type, titleOf(body))
  const { type: kind, words } = saidIn(parsed(body))
  if (kind !== null || words !== null) return failureOfStreamError(service, { type: kind, words: words ?? '', body }, key)
  return failure('malformed', `${service} answered with ${type} instead of an event stream.`, { status: response.status })
}

/** The beginning of a body that was announced as a stream and is none. */
export function notAStream(service: string, host: string, body: string): ProviderFailure {
  if (/^\s*<(!doctype|html)/i.test(body)) return page(host, 'text/html', titleOf(body))
  return failure('malformed', `${service} answered with something else than an event stream.`)
}

function page(host: string, type: string, title: string | null): ProviderFailure {
  const named = title === null ? '' : `, “${title}”`
  return failure('malformed', `A web page came instead of an answer from ${host} (${type}${named}).`, { cause: 'html', retryable: false })
}

function redirected(host: string, location: string | null, status: number): ProviderFailure {
  const target = location !== null && URL.canParse(location, `https://${host}`) ? ` to ${new URL(location, `https://${host}`).host}` : ''
  const words = `${host} sends the request elsewhere${target} (${status}); it was not followed, because the key would go there too.`
  return failure('malformed', words, { cause: 'redirect', status, retryable: false })
}

interface Said {
  readonly type: string | null
  readonly words: string | null
}

/**
 * `{"error": {"type" | "code" | "status", "message"}}`, as the services and most of their imitations have it; some put it into a list, and
 * an SDK may hand out what is inside of `error` alone.
 */
function saidIn(said: unknown): Said {
  const body: unknown = Array.isArray(said) ? said[0] : said
  const error = member(body, 'error') ?? body
  const types = [member(error, 'code'), member(error, 'status'), member(error, 'type')].filter((type) => typeof type === 'string')
  const words = member(error, 'message') ?? (typeof error === 'string' ? error : member(body, 'message'))
  return { type: types.find(isKnownType) ?? types.at(-1) ?? null, words: typeof words === 'string' ? words.slice(0, 500) : null }
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

/** The beginning of a text; of a page its title. */
function wordsOf(body: string): string {
  if (/^\s*</.test(body)) return titleOf(body) ?? ''
  return body.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
}

function titleOf(html: string): string | null {
  return /<title[^>]*>([^<]{1,120})/i.exec(html)?.[1]?.replaceAll(/\s+/g, ' ').trim() || null
}

async function start(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size >= LOOKED_AT) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

import type { FailureCause, FailureCode, ProviderFailure } from '../../agent/ports/provider.ts'
import type { ReportedError } from '../answer/answer-reader.ts'
import { withoutKey } from './redact-key.ts'
import { retryAfterMs } from './retry-after.ts'

/** Failures for which a retry may help. `cut_off`, `idle` and `malformed` are broken streams. */
const RETRYABLE: ReadonlySet<FailureCode> = new Set([
  'rate_limit',
  'overloaded',
  'server',
  'network',
  'idle',
  'cut_off',
  'malformed',
  'unknown',
])

export interface FailureDetails {
  readonly cause?: FailureCause
  readonly status?: number
  readonly retryable?: boolean
  readonly retryAfterMs?: number | null
}

export function failure(code: FailureCode, message: string, details: FailureDetails = {}): ProviderFailure {
  const { cause, status = null, retryable = RETRYABLE.has(code), retryAfterMs = null } = details
  return { code, ...(cause ? { cause } : {}), message, status, retryable, retryAfterMs }
}

/** An error response. `type` and `words` are the service's own error type and message, if they could be read. */
export interface RefusedResponse {
  /** The service's display name, such as "Anthropic". */
  readonly service: string
  readonly status: number
  readonly type: string | null
  readonly words: string
  readonly body: string
  readonly key: string | null
  readonly nowMs: number
  header(name: string): string | null
}

/** The failure for an HTTP error. The service's own error type takes precedence over the status. The key is redacted. */
export function failureOfResponse(response: RefusedResponse): ProviderFailure {
  const { service, status, type, key } = response
  const words = withoutKey(response.words, key).trim()
  const cause = causeOf(response)
  const text = `${words} ${response.body}`
  const code = cause === 'proxy' ? 'configuration' : codeOf(status, type, text)
  const said = words === '' ? '' : `: ${words.replace(/[.\s]+$/, '')}`
  return failure(code, `${saying(code, service, text)} (${status})${said}.`, {
    status,
    retryAfterMs: retryAfterMs(response),
    ...(cause ? { cause } : {}),
    ...(cause === 'pictures' || response.header('x-should-retry') === 'false' ? { retryable: false } : {}),
  })
}

/** The failure for an error that a service reports inside a stream whose status was 2xx. */
export function failureOfStreamError(service: string, error: ReportedError, key: string | null): ProviderFailure {
  const { type, status = null, body = '' } = error
  const clean = withoutKey(error.words, key).trim()
  const text = `${clean} ${body}`
  const code = codeOf(status, type, text)
  const wait = retryAfterMs({ header: () => null, body: `${body} ${clean}`, nowMs: 0 })
  return failure(code, `${saying(code, service, text)}${clean === '' ? '' : `: ${clean.replace(/[.\s]+$/, '')}`}.`, { retryAfterMs: wait })
}

/** Whether the error type or code is in our table `TYPES`. */
export function isKnownType(type: string): boolean {
  return Object.hasOwn(TYPES, type)
}

/** Anthropic's types, OpenAI's codes and types, Google's statuses, and our own name for an unreadable call. */
const TYPES: Readonly<Record<string, FailureCode>> = {
  authentication_error: 'authentication',
  permission_error: 'access_denied',
  not_found_error: 'not_found',
  invalid_request_error: 'invalid_request',
  request_too_large: 'context_length',
  billing_error: 'quota_exceeded',
  rate_limit_error: 'rate_limit',
  overloaded_error: 'overloaded',
  timeout_error: 'server',
  api_error: 'server',

  invalid_api_key: 'authentication',
  insufficient_permissions: 'access_denied',
  unsupported_country_region_territory: 'access_denied',
  model_not_found: 'not_found',
  context_length_exceeded: 'context_length',
  string_above_max_length: 'context_length',
  insufficient_quota: 'quota_exceeded',
  billing_hard_limit_reached: 'quota_exceeded',
  usage_limit_reached: 'quota_exceeded',
  rate_limit_exceeded: 'rate_limit',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
  server_error: 'server',
  invalid_prompt: 'content_filter',
  content_filter: 'content_filter',
  content_policy_violation: 'content_filter',
  exceed_context_size_error: 'context_length',

  UNAUTHENTICATED: 'authentication',
  PERMISSION_DENIED: 'access_denied',
  NOT_FOUND: 'not_found',
  INVALID_ARGUMENT: 'invalid_request',
  FAILED_PRECONDITION: 'invalid_request',
  OUT_OF_RANGE: 'invalid_request',
  RESOURCE_EXHAUSTED: 'rate_limit',
  UNAVAILABLE: 'overloaded',
  INTERNAL: 'server',
  DEADLINE_EXCEEDED: 'server',
  ABORTED: 'server',
  UNKNOWN: 'server',
  DATA_LOSS: 'server',

  malformed_call: 'malformed',
}

const STATUSES: Readonly<Record<number, FailureCode>> = {
  400: 'invalid_request',
  401: 'authentication',
  402: 'quota_exceeded',
  403: 'access_denied',
  404: 'not_found',
  408: 'timeout',
  413: 'context_length',
  422: 'invalid_request',
  429: 'rate_limit',
  529: 'overloaded',
}

/** Matches messages in which services say that a conversation is too long for the model. */
const TOO_LONG = new RegExp(
  [
    'context[ _](length|window|limit|size)|maximum context',
    '(prompt|input) is too long|maximum (prompt|input|model) length|(prompt|input tokens) exceeds? (the )?(max|configured)',
    'input token count|prompt token count|too many (input )?tokens|token limit exceeded',
    'exceed\\w* .{0,40}(token|context) limit|reduce the length of the (messages|prompt)',
    'current length is \\d+ while limit|range of input length|max_new_tokens. must be',
  ].join('|'),
  'i',
)
/** llama.cpp's message for a full context window. */
const OUTGROWN = /context (size|length|window) (has been|was|is) exceeded/i
const NO_SUCH_KEY = /API_KEY_INVALID|API key not valid|API key expired/i
const PER_DAY = /PerDay|per day/i
const NO_CREDIT = /credit balance|insufficient[_ ]quota|exceeded your current quota|spend limit|billing/i

function codeOf(status: number | null, type: string | null, text: string): FailureCode {
  const code = byTypeOrStatus(status, type)
  // Google answers with status 400 if a key is unknown, and its messages mention quota and billing even for a per-minute limit. So the text
  // of the message must be checked, too.
  if (code === 'invalid_request' && NO_SUCH_KEY.test(text)) return 'authentication'
  if (code === 'invalid_request' && TOO_LONG.test(text)) return 'context_length'
  if (code === 'server' && OUTGROWN.test(text)) return 'context_length'
  if (type === 'RESOURCE_EXHAUSTED') return PER_DAY.test(text) ? 'quota_exceeded' : code
  if ((code === 'invalid_request' || code === 'rate_limit' || code === 'access_denied') && NO_CREDIT.test(text)) return 'quota_exceeded'
  return code
}

function byTypeOrStatus(status: number | null, type: string | null): FailureCode {
  const byType = type !== null && isKnownType(type) ? TYPES[type] : undefined
  const byStatus = status === null ? undefined : (STATUSES[status] ?? (status >= 500 ? 'server' : undefined))
  // Services use their general error types (`invalid_request`, `server`) for many errors. If the type is general, the status says more.
  if (byType && byType !== 'invalid_request' && !(byType === 'server' && byStatus)) return byType
  return byStatus ?? byType ?? 'unknown'
}

/**
 * Matches messages about a picture that is too large, broken or not supported. Services word these in many ways. `image` next to a hyphen
 * does not count, because it may be part of a model's name.
 */
const PICTURES =
  /\bimage_url\b|mmproj|multi-?modal|\bvision\b|(support|accept|allow|provid|process|decod|load|invalid)\w*\W.{0,40}(?<![-\w])images?\b(?![-\w])|(?<![-\w])images?\b(?![-\w]).{0,60}(support|accept|allow|exceed|invalid|too large|provided|maximum)/i
const MAY_BE_PICTURES: ReadonlySet<number> = new Set([400, 404, 413, 415, 422, 500, 501])

function causeOf({ status, type, body, words }: RefusedResponse): FailureCause | null {
  if (status === 407) return 'proxy'
  if (MAY_BE_PICTURES.has(status) && PICTURES.test(words)) return 'pictures'
  if (status === 413 || type === 'request_too_large') return 'too_large'
  return type === null && status < 500 && /^\s*<(!doctype|html)/i.test(body) ? 'html' : null
}

function saying(code: FailureCode, service: string, text: string): string {
  switch (code) {
    case 'authentication':
      return `${service} rejected the key`
    case 'access_denied':
      return `${service} does not allow this with the current key`
    case 'not_found':
      return `${service} does not know this model or address`
    case 'invalid_request':
      return `${service} rejected the request`
    case 'context_length':
      return 'The conversation is too long for the model'
    case 'rate_limit':
      return `${service} is limiting requests`
    case 'overloaded':
      return `${service} is overloaded`
    case 'quota_exceeded':
      return PER_DAY.test(text) ? `The daily quota at ${service} is used up` : `The account at ${service} has no credit left`
    case 'timeout':
      return `${service} timed out waiting for the request`
    case 'configuration':
      return `The proxy on the way to ${service} requires authentication`
    case 'server':
      return `${service} failed`
    case 'network':
    case 'idle':
    case 'cut_off':
    case 'malformed':
    case 'no_object':
    case 'content_filter':
    case 'aborted':
    case 'unknown':
      return `${service} gave an unexpected answer`
  }
}

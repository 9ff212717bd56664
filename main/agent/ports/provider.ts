import type { ContentPart, ProviderId, Usage } from '../../../shared/session/content.ts'
import type { Effort } from '../../../shared/session/settings/model-facts.ts'
import type { StopReason, Trouble } from '../../../shared/session/events.ts'
import type { Turn } from '../../../shared/session/conversation-turns.ts'

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema with an object at its root. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** A call may be plain text in this Lark grammar, if the service and the model support that. */
  readonly freeForm?: { readonly grammar: string }
}

/**
 * The required form of an answer. Vendors support different parts of JSON Schema. All of them accept objects that list every member as
 * required and allow no others (`additionalProperties: false`), without limits on lengths or numbers.
 */
export interface AnswerShape {
  /** Consists of letters, digits, `_` and `-`, at most 64 characters. */
  readonly name: string
  /** JSON Schema with an object at its root. */
  readonly schema: Readonly<Record<string, unknown>>
}

/** One request. Objects that were part of earlier requests keep their identity, so an adapter may cache what it derived from them. */
export interface ModelRequest {
  readonly model: string
  readonly system: string
  readonly tools: readonly ToolDefinition[]
  readonly turns: readonly Turn[]
  readonly effort: Effort | null
  /**
   * If set, the text of an answer without calls must be one JSON object of this shape. Anything else ends with the failure `no_object`,
   * which is not retried. The caller checks whether the object matches the shape. Default: free text.
   */
  readonly answerShape?: AnswerShape
  /**
   * Whether the user will probably take minutes before the next request. The service should then cache the conversation until that request.
   */
  readonly pauseLikely?: boolean
}

/** The kinds of failure. `unknown` counts as retryable. */
export type FailureCode =
  | 'authentication'
  | 'access_denied'
  | 'not_found'
  | 'invalid_request'
  | 'context_length'
  | 'rate_limit'
  | 'overloaded'
  | 'quota_exceeded'
  | 'server'
  | 'network'
  | 'timeout'
  | 'idle'
  | 'cut_off'
  | 'malformed'
  /** An object was required (`answerShape`), but the answer is not one. */
  | 'no_object'
  | 'content_filter'
  | 'configuration'
  | 'aborted'
  | 'unknown'

/**
 * The cause, if `code` says too little for the user: which part of the connection failed, which setting is missing, or that pictures were
 * refused.
 */
export type FailureCause =
  | 'no_key'
  | 'base_url'
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'proxy'
  | 'html'
  | 'redirect'
  | 'too_large'
  | 'pictures'

export interface ProviderFailure {
  readonly code: FailureCode
  readonly cause?: FailureCause
  /** A message for the user. Keys are redacted. */
  readonly message: string
  readonly status: number | null
  readonly retryable: boolean
  /** The wait that the service requested, in ms. Null if it requested none. */
  readonly retryAfterMs: number | null
}

export interface ModelAnswer {
  readonly parts: readonly ContentPart[]
  readonly stopReason: StopReason
  /** The service's own word for why it stopped, if `stopReason` is `error` or `other` and the service gave one. */
  readonly endedWith?: string
  readonly responseId: string | null
  readonly usage: Usage
}

/** What is left of a limit. Null if the service does not say. */
export interface RateLimit {
  readonly limit: number | null
  readonly remaining: number | null
}

/** The limits a service reports with an answer. For information only. */
export interface RateLimits {
  readonly requests: RateLimit | null
  readonly tokens: RateLimit | null
}

/** The last event is exactly one `finish` or `failure`. */
export type ProviderEvent =
  | { readonly kind: 'start'; readonly rateLimits?: RateLimits }
  /** A notice for the user that is not part of the answer. */
  | { readonly kind: 'notice'; readonly trouble: Trouble }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  /**
   * The model is writing a call. `chars`: the number of characters of its arguments so far. For display only, because the call itself is
   * in `finish`.
   */
  | { readonly kind: 'call'; readonly toolName: string; readonly chars: number }
  | { readonly kind: 'finish'; readonly answer: ModelAnswer }
  /** `partial`: what arrived before the answer broke off. It is stored and shown, never executed. */
  | { readonly kind: 'failure'; readonly failure: ProviderFailure; readonly partial: ModelAnswer }

/**
 * A model service. `stream` never throws and never rejects: every failure, including an abort, ends with `failure`. One call makes one
 * request. Retries happen outside.
 */
export interface Provider {
  readonly id: ProviderId
  /** Loads what the first request needs. Called while the caller waits for something else. Makes no request and never fails. */
  prepare?(): void
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ProviderEvent>
}

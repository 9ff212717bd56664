import type { ContentPart, ProviderId, Usage } from '../../../shared/session/content.ts'
import type { Effort } from '../../../shared/session/settings/effort.ts'
import type { StopReason, Trouble } from '../../../shared/session/events.ts'
import type { Turn } from '../../../shared/session/turns.ts'

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema with an object at its root. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** A call may come as plain text instead, in this Lark grammar, where the service and the model take that. */
  readonly freeForm?: { readonly grammar: string }
}

/**
 * The form in which an answer must come (L-27). Vendors differ in what of JSON Schema they take; all take objects that name every member as
 * required and allow no others (`additionalProperties: false`), without bounds of length or number.
 */
export interface AnswerShape {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  /** JSON Schema with an object at its root. */
  readonly schema: Readonly<Record<string, unknown>>
}

/** One request. Objects that were in an earlier request are the same objects, so an adapter may cache what it made of them. */
export interface ModelRequest {
  readonly model: string
  readonly system: string
  readonly tools: readonly ToolDefinition[]
  readonly turns: readonly Turn[]
  readonly effort: Effort | null
  /**
   * Left out: the answer is free. Else the text of an answer without calls is one JSON object of this shape; the service is told so, and
   * anything that is no JSON object ends with the failure `no_object`, which is not retried. Whether the object fits is the caller's to check.
   */
  readonly answerShape?: AnswerShape
  /** The person is likely to take minutes before the next request, so that what the service caches should outlast them. */
  readonly pauseLikely?: boolean
}

/** Coded as in L-22; `unknown` counts as retryable (L-23). */
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
  /** The answer was to be an object (`answerShape`), and is none. */
  | 'no_object'
  | 'content_filter'
  | 'configuration'
  | 'aborted'
  | 'unknown'

/** What `code` alone does not tell a person: which part of the way to the service failed, what is missing here, or that it was the pictures that were refused. */
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
  /** For a person; keys are redacted. */
  readonly message: string
  readonly status: number | null
  readonly retryable: boolean
  /** Milliseconds that the service asked us to wait; null when it said nothing. */
  readonly retryAfterMs: number | null
}

export interface ModelAnswer {
  readonly parts: readonly ContentPart[]
  readonly stopReason: StopReason
  /** The service's own word for its end, where `stopReason` is `error` or `other` and it gave one. */
  readonly endedWith?: string
  readonly responseId: string | null
  readonly usage: Usage
}

/** How much may still be asked before the limit is set anew; null: the service does not say. */
export interface RateLimit {
  readonly limit: number | null
  readonly remaining: number | null
}

/** What a service says of its limits with an answer (L-28). For information only. */
export interface RateLimits {
  readonly requests: RateLimit | null
  readonly tokens: RateLimit | null
}

/** The last event is always `finish` or `failure`, and there is exactly one of them. */
export type ProviderEvent =
  | { readonly kind: 'start'; readonly rateLimits?: RateLimits }
  /** Something that the person should know once, and that is no part of the answer. */
  | { readonly kind: 'notice'; readonly trouble: Trouble }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  /** The model writes a call: characters of its arguments so far. For display only; the call is in `finish`. */
  | { readonly kind: 'call'; readonly toolName: string; readonly chars: number }
  | { readonly kind: 'finish'; readonly answer: ModelAnswer }
  /** `partial` is what arrived before the break: kept and shown, never executed. */
  | { readonly kind: 'failure'; readonly failure: ProviderFailure; readonly partial: ModelAnswer }

/**
 * A model service. `stream` never throws and never rejects once called: every way to fail, an abort included, ends with `failure`.
 * One call is one request: retry lies outside (L-25).
 */
export interface Provider {
  readonly id: ProviderId
  /** Loads what a first request needs, while something else is waited for; asks nobody anything, and never fails. */
  prepare?(): void
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ProviderEvent>
}

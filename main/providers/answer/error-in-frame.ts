import type { ReportedError, Step } from './answer-reader.ts'
import { type Fields, listOf, optional, textOr } from './untyped-fields.ts'

/** Maximum number of characters of an error message. */
const LONGEST = 500

/**
 * The error in a frame whose event name is `error`. The data can be `{"error": …}`, only the object inside it, a string, or anything else.
 */
export function namedError(data: string): ReportedError {
  const said = parsed(data)
  if (said === null || typeof said !== 'object') return { type: null, words: textOr(said, data).slice(0, LONGEST) }
  const inside = optional(said)['error'] ?? said
  if (typeof inside === 'string') return { type: null, words: inside.slice(0, LONGEST) }
  const { code, status, type, message } = optional(inside)
  const number = [code, status].find((value) => typeof value === 'number')
  return {
    type: textOr(code, textOr(status, textOr(type, null))),
    words: textOr(message, '').slice(0, LONGEST),
    ...(number !== undefined && { status: number }),
    body: data,
  }
}

/** The error in an event without a type; null if it contains no error. Gateways report errors in the format of Chat Completions. */
export function untypedError({ type, error }: Fields): Step {
  const isError = type === undefined && error !== undefined && error !== null
  return isError ? { kind: 'reported', error: namedError(JSON.stringify({ error })) } : null
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}

/** Maximum number of characters of the message from the service behind a router. */
const LONGEST_CAUSE = 300

/** Appends the message of the service behind a router, because the router's own message has no details. */
export function withCause(words: string, error: unknown): string {
  const raw = textOr(optional(optional(error)['metadata'])['raw'], '')
  const cause = raw === '' ? '' : messageIn(raw).trim().slice(0, LONGEST_CAUSE)
  return cause === '' || words.includes(cause) ? words : `${words.replace(/[.:\s]+$/, '')}: ${cause}`
}

/** Appends the places of tools that the service names beside its message. */
export function withToolPlaces(words: string, error: unknown): string {
  const { param, details } = optional(error)
  const violations = listOf(details).flatMap((detail) => listOf(optional(detail)['fieldViolations']))
  const places = [param, ...violations.map((violation) => optional(violation)['field'])]
  const place = places.find((one): one is string => typeof one === 'string' && /\btools[.[]/u.test(one))
  return place === undefined || words.includes(place) ? words : `${words.replace(/[.:\s]+$/, '')} (${place.slice(0, LONGEST_CAUSE)})`
}

function messageIn(raw: string): string {
  try {
    const said = optional(JSON.parse(raw))
    const inside = said['error'] ?? said
    return textOr(inside, textOr(optional(inside)['message'], raw))
  } catch {
    return raw
  }
}

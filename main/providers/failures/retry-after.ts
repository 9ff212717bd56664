/** The parts of a response that may contain a waiting time. */
export interface WaitFacts {
  header(name: string): string | null
  readonly body: string
  readonly nowMs: number
}

/**
 * Number of milliseconds that the service asks us to wait, from `retry-after-ms`, `Retry-After` in seconds or as an HTTP date,
 * `retryDelay` in the body ("34.4s"), or the text of the body. A date is compared with the response's own `Date`, so a wrong local clock
 * does not matter. Null if the response contains no waiting time.
 */
export function retryAfterMs({ header, body, nowMs }: WaitFacts): number | null {
  const ms = number(header('retry-after-ms'))
  if (ms !== null) return Math.ceil(ms)
  const after = header('retry-after')
  const seconds = number(after)
  if (seconds !== null) return Math.ceil(seconds * 1000)
  if (after !== null && isDate(after)) return Math.max(0, dateOr(after, nowMs) - dateOr(header('date'), nowMs))
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return delay === undefined ? inWords(body) : Math.ceil(Number(delay) * 1000)
}

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }

/** Reads "Please try again in 1.2s" (or `20ms`, `6m0s`). OpenAI uses this form inside a stream, where there are no headers. */
function inWords(body: string): number | null {
  const span = /\btry again in ((?:\d+(?:\.\d+)?\s?(?:ms|h|m|s))+)\b/i.exec(body)?.[1]
  if (span === undefined) return null
  const parts = [...span.toLowerCase().matchAll(/(\d+(?:\.\d+)?)\s?(ms|h|m|s)/g)]
  return Math.ceil(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ''] ?? 0), 0))
}

function number(text: string | null): number | null {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return null
  return Number(text)
}

/** Requires the name of a day or month, because `Date` also parses texts such as "-5". */
function isDate(text: string): boolean {
  return /[a-z]{3}/i.test(text) && !Number.isNaN(parsed(text))
}

function dateOr(text: string | null, otherwise: number): number {
  const date = parsed(text ?? '')
  return Number.isNaN(date) ? otherwise : date
}

/** HTTP dates are in UTC. The oldest form (`Sat Nov 21 12:00:30 2026`) does not state this, and `Date` would use the local time zone. */
function parsed(date: string): number {
  return Date.parse(/(?:GMT|UTC?|Z|[+-]\d{2}:?\d{2})\s*$/i.test(date) ? date : `${date} GMT`)
}

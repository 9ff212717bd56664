import type { RateLimit, RateLimits } from '../../agent/ports/provider.ts'

/**
 * What a service says of its limits in the headers of an answer (L-28): Anthropic's `anthropic-ratelimit-requests-remaining`, OpenAI's and
 * many others' `x-ratelimit-remaining-requests`. Null: it says nothing. For information only.
 */
export function rateLimitsOf(header: (name: string) => string | null): RateLimits | null {
  const requests = limitOf('requests', header)
  const tokens = limitOf('tokens', header)
  return requests || tokens ? { requests, tokens } : null
}

function limitOf(of: 'requests' | 'tokens', header: (name: string) => string | null): RateLimit | null {
  const read = (what: 'limit' | 'remaining'): number | null =>
    count(header(`anthropic-ratelimit-${of}-${what}`) ?? header(`x-ratelimit-${what}-${of}`))
  const [limit, remaining] = [read('limit'), read('remaining')]
  return limit === null && remaining === null ? null : { limit, remaining }
}

function count(text: string | null): number | null {
  return text !== null && /^\s*\d+\s*$/.test(text) ? Number(text) : null
}

import type { Clock } from '../agent/ports/clock.ts'
import type { RequestWithRetries } from '../agent/ports/model.ts'
import type { ProviderEvent, ProviderFailure } from '../agent/ports/provider.ts'
import { failure } from './failures.ts'

/** L-24. Milliseconds; `jitter` is the share by which a delay may be longer or shorter. */
export interface RetryPolicy {
  readonly retries: number
  readonly baseMs: number
  readonly factor: number
  readonly capMs: number
  readonly jitter: number
}

export const RETRY_POLICY: RetryPolicy = { retries: 2, baseMs: 1_000, factor: 2, capMs: 60_000, jitter: 0.5 }

export interface RetryParts {
  readonly clock: Clock
  readonly policy?: RetryPolicy
  /** Between 0 and 1, as `Math.random`. */
  readonly random?: () => number
}

/**
 * Requests that are made again while nothing of an answer has been delivered and the failure allows it. A wait that the service asks for
 * is kept, never shortened, and given up at once when it is above the cap (D-47). Cancelling ends a wait at once with `aborted`.
 */
export function createRequestWithRetries({ clock, policy = RETRY_POLICY, random = Math.random }: RetryParts): RequestWithRetries {
  return async function* (provider, request, { signal, onScheduled }) {
    for (let attempt = 1; ; attempt++) {
      const { failed, delivered } = yield* passedOn(provider.stream(request, signal))
      if (!failed) return
      const delayMs = delivered || attempt > policy.retries ? null : retryDelayMs(failed.failure, attempt, policy, random())
      if (delayMs === null) {
        yield failed
        return
      }
      onScheduled({ attempt, atMs: clock.now() + delayMs, why: failed.failure.message })
      try {
        await clock.sleep(delayMs, signal)
      } catch {
        yield { ...failed, failure: failure('aborted', 'The wait for another try was cancelled.') }
        return
      }
    }
  }
}

interface Attempt {
  readonly failed: Extract<ProviderEvent, { kind: 'failure' }> | null
  /** Whether anything of an answer has been shown. */
  readonly delivered: boolean
}

async function* passedOn(events: AsyncIterable<ProviderEvent>): AsyncGenerator<ProviderEvent, Attempt> {
  let delivered = false
  for await (const event of events) {
    if (event.kind === 'failure') return { failed: event, delivered }
    delivered ||= event.kind !== 'start'
    yield event
  }
  return { failed: null, delivered }
}

/** Milliseconds until the next try; null: there is none. `attempt` counts from 1, `random` lies between 0 and 1. */
export function retryDelayMs(failed: ProviderFailure, attempt: number, policy: RetryPolicy, random: number): number | null {
  if (!failed.retryable) return null
  const own = Math.min(policy.capMs, policy.baseMs * policy.factor ** (attempt - 1))
  const spread = Math.round(Math.min(policy.capMs, own * (1 + policy.jitter * (2 * random - 1))))
  if (failed.retryAfterMs === null) return spread
  return failed.retryAfterMs > policy.capMs ? null : Math.max(spread, failed.retryAfterMs)
}

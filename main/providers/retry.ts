import type { Clock } from '../agent/ports/clock.ts'
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

/** Another try is on its way. `attempt` counts the tries that failed, from 1; `atMs` is when the next one starts. */
export interface RetryPlan {
  readonly attempt: number
  readonly atMs: number
  readonly why: ProviderFailure
}

export interface RetryParts {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly policy?: RetryPolicy
  /** Between 0 and 1, as `Math.random`. */
  readonly random?: () => number
  readonly onPlan: (plan: RetryPlan) => void
}

/**
 * Runs one request and, while nothing of an answer has been delivered and the failure allows it, runs it again. The events are those of
 * `Provider.stream`: exactly one `finish` or `failure` at the end. A wait that the service asks for is kept, never shortened, and given up
 * at once when it is above the cap (D-47). Cancelling ends a wait at once with `aborted`.
 */
export async function* streamWithRetry(start: () => AsyncIterable<ProviderEvent>, parts: RetryParts): AsyncGenerator<ProviderEvent> {
  const { clock, signal, policy = RETRY_POLICY, random = Math.random, onPlan } = parts
  for (let attempt = 1; ; attempt++) {
    let delivered = false
    let failed: Extract<ProviderEvent, { kind: 'failure' }> | null = null
    for await (const event of start()) {
      if (event.kind === 'failure') failed = event
      else yield event
      delivered ||= event.kind !== 'start'
    }
    if (!failed) return
    const delayMs = delivered || attempt > policy.retries ? null : retryDelayMs(failed.failure, attempt, policy, random())
    if (delayMs === null) {
      yield failed
      return
    }
    onPlan({ attempt, atMs: clock.now() + delayMs, why: failed.failure })
    try {
      await clock.sleep(delayMs, signal)
    } catch {
      yield { ...failed, failure: failure('aborted', 'The wait for another try was cancelled.') }
      return
    }
  }
}

/** Milliseconds until the next try; null: there is none. `attempt` counts from 1, `random` lies between 0 and 1. */
export function retryDelayMs(failed: ProviderFailure, attempt: number, policy: RetryPolicy, random: number): number | null {
  if (!failed.retryable) return null
  const own = Math.min(policy.capMs, policy.baseMs * policy.factor ** (attempt - 1))
  const spread = Math.round(Math.min(policy.capMs, own * (1 + policy.jitter * (2 * random - 1))))
  if (failed.retryAfterMs === null) return spread
  return failed.retryAfterMs > policy.capMs ? null : Math.max(spread, failed.retryAfterMs)
}

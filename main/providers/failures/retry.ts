import type { Clock } from '../../agent/ports/clock.ts'
import type { RequestWithRetries, RetryOptions } from '../../agent/ports/model.ts'
import type { FailureCode, ModelAnswer, Provider, ProviderEvent, ProviderFailure } from '../../agent/ports/provider.ts'
import { NO_USAGE } from '../../../shared/session/content.ts'
import { failure } from './failures.ts'

/** Times in milliseconds. `jitter` is the share by which a delay may be longer or shorter. */
interface RetryPolicy {
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
  /**
   * The time in ms since the first failure during which temporary failures are retried after the policy's retries are used up. Default:
   * 0.
   */
  readonly persistMs?: () => number
  /** Returns a number between 0 and 1, like `Math.random`. */
  readonly random?: () => number
}

/**
 * Temporary failures, which unattended work keeps retrying. A timeout without any data is not one of them, because each such try already
 * takes minutes.
 */
const PASSING: ReadonlySet<FailureCode> = new Set(['rate_limit', 'overloaded', 'server', 'network', 'cut_off'])

/**
 * Retries failed requests. Never waits for less time than the service asks for. If that time is longer than `capMs`, the request is not
 * retried. If an answer broke off, it is requested again from the start, as often as the policy allows. This is safe, because none of its
 * calls has run. If the user cancels, a wait ends immediately with `aborted`.
 */
export function createRequestWithRetries(parts: RetryParts): RequestWithRetries {
  const { clock, policy = RETRY_POLICY, persistMs = () => 0, random = Math.random } = parts
  /**
   * Services that have answered before. If a service has never answered, its address is probably wrong, so its network failures are not
   * retried after the policy's retries are used up.
   */
  const answered = new WeakSet<Provider>()
  return async function* (provider, request, options) {
    const { signal, onScheduled } = options
    let firstMs: number | null = null
    let cuts = 0
    for (let attempt = 1; ; attempt++) {
      const { failed, delivered } = yield* passedOn(provider.stream(request, signal), () => answered.add(provider))
      if (!failed) return
      firstMs ??= clock.elapsed()
      if (delivered) cuts++
      const { failure: why, partial } = failed
      const mayPersist = policy.retries > 0 && PASSING.has(why.code) && (why.code !== 'network' || answered.has(provider))
      const leftMs = (mayPersist ? persistMs() : 0) - (clock.elapsed() - firstMs)
      const isLost = delivered && (why.code === 'malformed' || cuts > policy.retries)
      const delayMs = isLost ? null : retryDelayMs(why, attempt, policy, random())
      if (delayMs === null || (attempt > policy.retries && delayMs > leftMs)) {
        yield failed
        return
      }
      const now = clock.now()
      onScheduled({
        attempt,
        atMs: now + delayMs,
        why: why.message,
        code: why.code,
        untilMs: now + Math.max(delayMs, leftMs),
        discarded: delivered ? partial : null,
      })
      try {
        await wait(clock, delayMs, options)
      } catch {
        yield {
          kind: 'failure',
          failure: failure('aborted', 'The retry was cancelled.'),
          partial: delivered ? NOTHING : partial,
        }
        return
      }
    }
  }
}

/** Replaces the partial answer if everything received so far was discarded. */
const NOTHING: ModelAnswer = { parts: [], stopReason: 'error', responseId: null, usage: NO_USAGE }

/** Rejects when the request is cancelled. */
async function wait(clock: Clock, ms: number, { signal, retryNow }: RetryOptions): Promise<void> {
  if (!retryNow) return clock.sleep(ms, signal)
  const over = new AbortController()
  try {
    await Promise.race([clock.sleep(ms, AbortSignal.any([signal, over.signal])), retryNow(over.signal)])
  } finally {
    over.abort('over')
  }
}

interface Attempt {
  readonly failed: Extract<ProviderEvent, { kind: 'failure' }> | null
  /** Whether any part of an answer has been shown. */
  readonly delivered: boolean
}

async function* passedOn(events: AsyncIterable<ProviderEvent>, onAnswered: () => void): AsyncGenerator<ProviderEvent, Attempt> {
  let delivered = false
  for await (const event of events) {
    if (event.kind === 'failure') {
      if (event.failure.status !== null) onAnswered()
      return { failed: event, delivered }
    }
    if (event.kind === 'start') onAnswered()
    else delivered ||= event.kind !== 'notice'
    yield event
  }
  return { failed: null, delivered }
}

/** Milliseconds until the next try; null if there is no further try. `attempt` counts from 1. `random` is between 0 and 1. */
export function retryDelayMs(failed: ProviderFailure, attempt: number, policy: RetryPolicy, random: number): number | null {
  if (!failed.retryable) return null
  const own = Math.min(policy.capMs, policy.baseMs * policy.factor ** (attempt - 1))
  const spread = Math.round(Math.min(policy.capMs, own * (1 + policy.jitter * (2 * random - 1))))
  if (failed.retryAfterMs === null) return spread
  return failed.retryAfterMs > policy.capMs ? null : Math.max(spread, failed.retryAfterMs)
}

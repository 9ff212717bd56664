import { expect, onTestFinished, test } from 'vitest'
import type { ProviderFailure } from '../../main/agent/ports/provider.ts'
import type { ScheduledRetry } from '../../main/agent/ports/model.ts'
import { createAnthropic } from '../../main/providers/anthropic/anthropic.ts'
import { failure } from '../../main/providers/failures.ts'
import { STREAM_LIMITS } from '../../main/providers/http/exchange.ts'
import { createRequestWithRetries, RETRY_POLICY, retryDelayMs, type RetryPolicy } from '../../main/providers/retry.ts'
import { type Collected, collected, request } from '../support/collected.ts'
import { type ManualClock, manualClock } from '../support/manual-clock.ts'
import { gate, httpError, say, type Script, startScriptedModel } from '../support/scripted-model.ts'

const LIMITED = httpError(429, 'rate_limit_error', 'slow down')

interface Run {
  readonly clock: ManualClock
  readonly answer: Promise<Collected>
  readonly scheduled: ScheduledRetry[]
  readonly cancel: AbortController
  requests(): number
}

/** A request with retries whose chance is always in the middle: no jitter. */
async function run(script: Script, policy: RetryPolicy = RETRY_POLICY): Promise<Run> {
  const clock = manualClock(1_000_000)
  const model = await startScriptedModel(script)
  const key = () => Promise.resolve('key')
  const provider = createAnthropic({ id: 'anthropic', label: 'Anthropic', baseUrl: model.url, key, clock, limits: STREAM_LIMITS })
  onTestFinished(async () => {
    provider.close()
    await model.close()
  })
  const scheduled: ScheduledRetry[] = []
  const cancel = new AbortController()
  const retrying = createRequestWithRetries({ clock, policy, random: () => 0.5 })
  const events = retrying(provider, request('claude-sonnet-5-5'), { signal: cancel.signal, onScheduled: (retry) => scheduled.push(retry) })
  return { clock, answer: collected(events), scheduled, cancel, requests: () => model.requests.length }
}

/** Lets the time pass as soon as somebody sleeps for that long. */
async function wait({ clock }: Run, ms: number): Promise<void> {
  await clock.sleeper(ms)
  await clock.advance(ms)
}

test('two retries, after one second and after two, each announced with its time and its reason (L-24)', async () => {
  const made = await run([LIMITED, LIMITED, say('At last')])
  await wait(made, 1_000)
  await wait(made, 2_000)
  expect((await made.answer).text).toBe('At last')
  expect(made.scheduled).toEqual([
    { attempt: 1, atMs: 1_001_000, why: 'Anthropic limits how much may be asked just now (429): slow down.' },
    { attempt: 2, atMs: 1_003_000, why: 'Anthropic limits how much may be asked just now (429): slow down.' },
  ])
})

test('the third failure is the end', async () => {
  const made = await run([LIMITED, LIMITED, LIMITED, say('never')])
  await wait(made, 1_000)
  await wait(made, 2_000)
  expect([(await made.answer).failure?.code, made.requests()]).toEqual(['rate_limit', 3])
})

test('a service that asks for thirty seconds gets them', async () => {
  const made = await run([httpError(429, 'rate_limit_error', 'slow', { 'retry-after': '30' }), say('Now')])
  await wait(made, 30_000)
  expect([(await made.answer).text, made.scheduled[0]?.atMs]).toEqual(['Now', 1_030_000])
})

test('a service that asks for more than the cap fails at once, with the time (D-47)', async () => {
  const made = await run([httpError(429, 'rate_limit_error', 'slow', { 'retry-after': '61' })])
  expect((await made.answer).failure).toMatchObject({ code: 'rate_limit', retryAfterMs: 61_000 })
  expect([made.scheduled, made.requests()]).toEqual([[], 1])
})

test.each([400, 401, 403, 404, 408, 413, 422])('%i is not tried again', async (status) => {
  const made = await run([httpError(status, 'invalid_request_error', 'no')])
  expect([(await made.answer).failure?.status, made.scheduled]).toEqual([status, []])
})

test('nothing is tried again once a word of the answer was shown (L-24)', async () => {
  const made = await run([say('One two three', { delivery: { stops: [{ at: 950, next: 'end' }] } }), say('never')])
  const { failure: why, text } = await made.answer
  expect([why?.code, text.startsWith('One'), made.requests()]).toEqual(['cut_off', true, 1])
})

test('a stream that breaks before its first word is tried again', async () => {
  const made = await run([say('One', { delivery: { stops: [{ at: 30, next: 'end' }] } }), say('Two')])
  await wait(made, 1_000)
  expect((await made.answer).text).toBe('Two')
})

test('zero retries are none', async () => {
  const made = await run([LIMITED], { ...RETRY_POLICY, retries: 0 })
  expect([(await made.answer).failure?.code, made.scheduled]).toEqual(['rate_limit', []])
})

test('cancelling ends a wait at once', async () => {
  const made = await run([LIMITED])
  await made.clock.sleeper(1_000)
  made.cancel.abort()
  expect((await made.answer).failure).toMatchObject({ code: 'aborted', retryable: false })
  expect(made.clock.sleeping()).toEqual([])
})

test('cancelling ends the request that runs after a wait', async () => {
  const made = await run([LIMITED, say('never', { delivery: { hold: gate().opened } })])
  await wait(made, 1_000)
  while (made.requests() < 2) await new Promise((resolve) => setImmediate(resolve))
  made.cancel.abort()
  expect((await made.answer).failure?.code).toBe('aborted')
})

test('a delay lies within half more and half less, under the cap, and never before the time that was told (L-24)', () => {
  const limited = failure('rate_limit', 'x')
  const told = (ms: number): ProviderFailure => ({ ...limited, retryAfterMs: ms })
  const delays = [0, 0.5, 1].map((random) => [1, 2, 7].map((attempt) => retryDelayMs(limited, attempt, RETRY_POLICY, random)))
  expect(delays).toEqual([
    [500, 1_000, 30_000],
    [1_000, 2_000, 60_000],
    [1_500, 3_000, 60_000],
  ])
  expect([0, 1].map((random) => retryDelayMs(told(1_200), 1, RETRY_POLICY, random))).toEqual([1_200, 1_500])
  expect(retryDelayMs(told(60_000), 1, RETRY_POLICY, 0)).toBe(60_000)
  expect(retryDelayMs(failure('authentication', 'x'), 1, RETRY_POLICY, 0)).toBeNull()
})

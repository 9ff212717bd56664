import { describe, expect, onTestFinished, test } from 'vitest'
import type { ProviderFailure } from '../../../main/agent/ports/provider.ts'
import type { ScheduledRetry } from '../../../main/agent/ports/model.ts'
import { createAnthropic } from '../../../main/providers/anthropic/anthropic.ts'
import { failure } from '../../../main/providers/failures/failures.ts'
import { STREAM_LIMITS } from '../../../main/providers/http/exchange.ts'
import { createRequestWithRetries, RETRY_POLICY, retryDelayMs } from '../../../main/providers/failures/retry.ts'
import { type Collected, collected, request } from '../../support/collected.ts'
import { type ManualClock, manualClock } from '../../support/manual-clock.ts'
import { gate, httpError, say, type Script, startScriptedModel } from '../../support/scripted-model.ts'

const LIMITED = httpError(429, 'rate_limit_error', 'slow down')

interface Run {
  readonly clock: ManualClock
  readonly answer: Promise<Collected>
  readonly scheduled: ScheduledRetry[]
  readonly cancel: AbortController
  requests(): number
  /** Sends the same request once more. */
  again(): Promise<Collected>
}

interface RunOptions {
  readonly policy?: typeof RETRY_POLICY
  readonly persistMs?: number
  /** `thenGone`: the server stops after the first answer. `never`: the server was never running. */
  readonly thenGone?: boolean
  readonly never?: boolean
}

/** Runs a request with retries. The random factor is always 0.5, its middle value, so there is no jitter. */
async function run(
  script: Script,
  { policy = RETRY_POLICY, persistMs = 0, thenGone = false, never = false }: RunOptions = {},
): Promise<Run> {
  const clock = manualClock(1_000_000)
  const model = await startScriptedModel(script)
  const key = () => Promise.resolve('key')
  const provider = createAnthropic({ id: 'anthropic', label: 'Anthropic', baseUrl: model.url, key, clock, limits: STREAM_LIMITS })
  onTestFinished(async () => {
    provider.close()
    if (!thenGone) await model.close()
  })
  const scheduled: ScheduledRetry[] = []
  const cancel = new AbortController()
  const retrying = createRequestWithRetries({ clock, policy, persistMs: () => persistMs, random: () => 0.5 })
  const again = (): Promise<Collected> =>
    collected(
      retrying(provider, request('claude-sonnet-5-5'), {
        signal: cancel.signal,
        onScheduled: (retry) => scheduled.push(retry),
      }),
    )
  if (never) await model.close()
  const answer = again()
  const whole = thenGone && !never ? answer.then(async (value) => (await model.close(), value)) : answer
  return { clock, answer: whole, scheduled, cancel, requests: () => model.requests.length, again }
}

/** Waits until a sleeper is due in exactly this many ms, and then lets that time pass. */
async function wait({ clock }: Run, ms: number): Promise<void> {
  await clock.sleeper(ms)
  await clock.advance(ms)
}

test('a request is retried after one and after two seconds, each time announced with the reason (L-24)', async () => {
  const made = await run([LIMITED, LIMITED, say('At last')])
  await wait(made, 1_000)
  await wait(made, 2_000)
  expect((await made.answer).text).toBe('At last')
  const why = { code: 'rate_limit', why: 'Anthropic is limiting requests (429): slow down.', discarded: null }
  expect(made.scheduled).toEqual([
    { attempt: 1, atMs: 1_001_000, untilMs: 1_001_000, ...why },
    { attempt: 2, atMs: 1_003_000, untilMs: 1_003_000, ...why },
  ])
})

test('the third failure is final', async () => {
  const made = await run([LIMITED, LIMITED, LIMITED, say('never')])
  await wait(made, 1_000)
  await wait(made, 2_000)
  expect([(await made.answer).failure?.code, made.requests()]).toEqual(['rate_limit', 3])
})

test('a service that asks for a wait of thirty seconds is retried after thirty seconds', async () => {
  const made = await run([httpError(429, 'rate_limit_error', 'slow', { 'retry-after': '30' }), say('Now')])
  await wait(made, 30_000)
  expect([(await made.answer).text, made.scheduled[0]?.atMs]).toEqual(['Now', 1_030_000])
})

test('a request fails at once if the service asks to wait longer than the cap, and the error says how long (D-47)', async () => {
  const made = await run([httpError(429, 'rate_limit_error', 'slow', { 'retry-after': '61' })])
  expect((await made.answer).failure).toMatchObject({ code: 'rate_limit', retryAfterMs: 61_000 })
  expect([made.scheduled, made.requests()]).toEqual([[], 1])
})

test.each([400, 401, 403, 404, 408, 413, 422])('status %i is not retried', async (status) => {
  const made = await run([httpError(status, 'invalid_request_error', 'no')])
  expect([(await made.answer).failure?.status, made.scheduled]).toEqual([status, []])
})

test('an answer that breaks off after its first words is requested again from the start, and the first words are withdrawn (P6)', async () => {
  const cut = say('One two three', { delivery: { stops: [{ at: 950, next: 'end' }] } })
  const made = await run([cut, say('Whole')])
  await wait(made, 1_000)
  const { answer, events } = await made.answer
  expect([answer?.parts, made.requests()]).toEqual([[{ kind: 'text', text: 'Whole' }], 2])
  expect(made.scheduled).toMatchObject([
    { code: 'cut_off', discarded: { parts: [{ kind: 'text', text: expect.stringMatching(/^One/) as unknown }] } },
  ])
  expect(events.filter(({ kind }) => kind === 'start')).toHaveLength(2)
})

test('an answer that always breaks off fails after two retries despite --retry-for, because each retry costs money (P6)', async () => {
  const cut = say('One two three', { delivery: { stops: [{ at: 950, next: 'end' }] } })
  const made = await run([cut, cut, cut, say('never')], { persistMs: 600_000 })
  await wait(made, 1_000)
  await wait(made, 2_000)
  const { failure: why, partial } = await made.answer
  expect([why?.code, partial?.parts.length, made.requests()]).toEqual(['cut_off', 1, 3])
})

describe('unattended work waits for a service that is down (P6, U6)', () => {
  const BUSY = httpError(529, 'overloaded_error', 'busy')
  const WAITS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]

  test('waits become longer, up to a minute, and for each wait the time of the next attempt and the end of the retries are announced', async () => {
    const made = await run(({ index }) => (index < WAITS.length ? BUSY : say('Back')), { persistMs: 600_000 })
    for (const ms of WAITS) await wait(made, ms)
    expect((await made.answer).text).toBe('Back')
    const atMs = WAITS.map((_, index) => 1_000_000 + WAITS.slice(0, index + 1).reduce((sum, ms) => sum + ms, 0))
    expect(made.scheduled.map((retry) => retry.atMs)).toEqual(atMs)
    expect(made.scheduled.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(new Set(made.scheduled.map(({ untilMs, code }) => `${untilMs} ${code}`))).toEqual(new Set(['1600000 overloaded']))
  })

  test('fails when its time is up, without waiting another minute', async () => {
    const made = await run(() => BUSY, { persistMs: 20_000 })
    for (const ms of WAITS.slice(0, 4)) await wait(made, ms)
    expect([(await made.answer).failure?.code, made.requests()]).toEqual(['overloaded', 5])
  })

  test('a refused connection is retried beyond the usual two retries only if the service has answered before', async () => {
    const made = await run([say('Here')], { persistMs: 20_000, thenGone: true })
    await made.answer
    const gone = made.again()
    for (const ms of WAITS.slice(0, 4)) await wait(made, ms)
    expect([(await gone).failure?.code, made.scheduled.length]).toEqual(['network', 4])
    const stranger = await run([], { persistMs: 20_000, thenGone: true, never: true })
    await wait(stranger, 1_000)
    await wait(stranger, 2_000)
    expect([(await stranger.answer).failure?.code, stranger.scheduled.length]).toEqual(['network', 2])
  })

  test('an invalid request is never retried', async () => {
    const made = await run(() => httpError(400, 'invalid_request_error', 'no'), { persistMs: 600_000 })
    expect([(await made.answer).failure?.code, made.scheduled]).toEqual(['invalid_request', []])
  })
})

test('a request whose stream breaks before its first word is retried', async () => {
  const made = await run([say('One', { delivery: { stops: [{ at: 30, next: 'end' }] } }), say('Two')])
  await wait(made, 1_000)
  expect((await made.answer).text).toBe('Two')
})

test('zero retries means no retry', async () => {
  const made = await run([LIMITED], { policy: { ...RETRY_POLICY, retries: 0 }, persistMs: 600_000 })
  expect([(await made.answer).failure?.code, made.scheduled]).toEqual(['rate_limit', []])
})

test('canceling after a wait ends the repeated request', async () => {
  const made = await run([LIMITED, say('never', { delivery: { hold: gate().opened } })])
  await wait(made, 1_000)
  while (made.requests() < 2) await new Promise((resolve) => setImmediate(resolve))
  made.cancel.abort()
  expect((await made.answer).failure?.code).toBe('aborted')
})

test('a delay varies by at most ±50 %, stays below the cap, and is never shorter than the service asked for (L-24)', () => {
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

import { describe, expect, test } from 'vitest'
import type { FailureCode } from '../../../main/agent/ports/provider.ts'
import { collected, request } from '../../support/collected.ts'
import { httpError, refusingUrl, say, stream } from '../../support/scripted-model.ts'
import { type Bench, TEST_KEY } from './bench.ts'

/** Tests how each HTTP status is handled (L-22, L-23). */
export function refusals(bench: Bench): void {
  describe(`${bench.subject.name}: the service refuses`, () => {
    test.each<[number, FailureCode, boolean]>([
      [400, 'invalid_request', false],
      [401, 'authentication', false],
      [402, 'quota_exceeded', false],
      [403, 'access_denied', false],
      [404, 'not_found', false],
      [408, 'timeout', false],
      [413, 'context_length', false],
      [422, 'invalid_request', false],
      [429, 'rate_limit', true],
      [500, 'server', true],
      [502, 'server', true],
      [503, 'server', true],
      [529, 'overloaded', true],
    ])('status %i is reported as %s (L-22, L-23)', async (status, code, retryable) => {
      const failure = await bench.failureOf([httpError(status, bench.subject.errorType(status), 'the reason')])
      expect(failure).toMatchObject({ code, status, retryable, retryAfterMs: null })
      expect(failure.message).toContain('the reason')
    })

    test('a retryable error is reported after one request: the adapter does not retry on its own (L-25)', async () => {
      for (const status of [408, 409, 429, 500, 503, 529]) {
        const { model, provider } = await bench.asked(() => httpError(status, bench.subject.errorType(status), 'the reason'))
        const { failure } = await collected(provider.stream(request(bench.subject.model), new AbortController().signal))
        expect([status, failure?.status, model.requests.length]).toEqual([status, status, 1])
      }
    })

    test('an unknown status is retryable', async () => {
      expect(await bench.failureOf([httpError(418, 'teapot', 'short and stout')])).toMatchObject({
        code: 'unknown',
        status: 418,
        retryable: true,
      })
    })

    test.each([
      ['prompt is too long: 210000 tokens > 200000 maximum', 'context_length'],
      ['input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000', 'context_length'],
      ['Your credit balance is too low to access the API.', 'quota_exceeded'],
    ] as const)('a 400 is classified by its text: %s', async (words, code) => {
      expect(await bench.failureOf([httpError(400, bench.subject.errorType(400), words)])).toMatchObject({ code, retryable: false })
    })
  })
}

/** Tests all forms of Retry-After (fault 42). */
export function waits(bench: Bench): void {
  describe(`${bench.subject.name}: how long to wait`, () => {
    test.each([
      ['seconds', { 'retry-after': '30' }, 30_000],
      ['a fraction of seconds', { 'retry-after': '1.5' }, 1_500],
      ['milliseconds', { 'retry-after-ms': '1250', 'retry-after': '9' }, 1_250],
      [
        'a date, measured by the service’s own clock',
        { 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' },
        30_000,
      ],
      ['a date in the past', { 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 0],
      ['nonsense, which is ignored,', { 'retry-after': 'soon' }, null],
    ] as const)('a header with %s gives the right time to wait', async (_, headers, ms) => {
      expect(await bench.failureOf([httpError(429, bench.subject.errorType(429), 'slow down', headers)])).toMatchObject({
        retryAfterMs: ms,
      })
    })

    test('the time to wait can be in the body', async () => {
      const body = JSON.stringify({ error: { message: 'slow', details: [{ '@type': 'RetryInfo', retryDelay: '34.4s' }] } })
      const answer = { kind: 'raw', status: 429, headers: { 'content-type': 'application/json' }, body } as const
      expect(await bench.failureOf([answer])).toMatchObject({ code: 'rate_limit', retryAfterMs: 34_400 })
    })
  })
}

/** Tests responses that are not answers: HTML pages, redirects, and echoes of the key (faults 41, 43). */
export function answersThatAreNone(bench: Bench): void {
  describe(`${bench.subject.name}: answers that are not from the service`, () => {
    test('a body that repeats the key is reported without it', async () => {
      const { message: words } = await bench.failureOf([
        httpError(401, bench.subject.errorType(401), `invalid key ${TEST_KEY} (sk-other-0123456789abcdef)`),
      ])
      expect(words).toContain('invalid key [key]')
      expect(words).not.toContain('0123456789')
    })

    test('an error page of a proxy is reported by its title', async () => {
      const body = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'
      const failure = await bench.failureOf([{ kind: 'raw', status: 502, headers: { 'content-type': 'text/html' }, body }])
      expect(failure).toMatchObject({ code: 'server', status: 502, retryable: true })
      expect(failure.message).toContain('502 Bad Gateway')
    })

    test('a sign-in page with status 200 is reported as a page, and not retried', async () => {
      const body = '<html><head><title>Hotel Wi-Fi</title></head></html>'
      const failure = await bench.failureOf([{ kind: 'raw', headers: { 'content-type': 'text/html; charset=utf-8' }, body }])
      expect(failure).toMatchObject({ code: 'malformed', cause: 'html', retryable: false })
      expect(failure.message).toMatch(/text\/html.*Hotel Wi-Fi/)
    })

    test('a page labeled as an event stream is reported as a page', async () => {
      expect(await bench.failureOf([stream('<!DOCTYPE html><html><title>Sign in</title></html>')])).toMatchObject({
        code: 'malformed',
        cause: 'html',
      })
    })

    test('an error in plain JSON with status 200 is that error', async () => {
      const type = bench.subject.errorType(529)
      const body = JSON.stringify({ type: 'error', error: { type, status: type, message: 'Overloaded' } })
      expect(await bench.failureOf([{ kind: 'raw', headers: { 'content-type': 'application/json' }, body }])).toMatchObject({
        code: 'overloaded',
      })
    })

    test('a redirect is not followed, because the key would be sent with it', async () => {
      const elsewhere = await bench.asked([say('caught')])
      const headers = { location: `${elsewhere.model.url}/v1/messages` }
      expect(await bench.failureOf([{ kind: 'raw', status: 307, headers, body: '' }])).toMatchObject({
        code: 'malformed',
        cause: 'redirect',
        retryable: false,
      })
      expect(elsewhere.model.requests).toEqual([])
    })

    test('a proxy that requires authentication is not reported as a wrong key', async () => {
      expect(await bench.failureOf([{ kind: 'raw', status: 407, body: '' }])).toMatchObject({
        code: 'configuration',
        cause: 'proxy',
        retryable: false,
      })
    })
  })
}

/** Tests what happens if the service cannot be reached (faults 41, 43). */
export function noWay(bench: Bench): void {
  describe(`${bench.subject.name}: no connection to the service`, () => {
    test.runIf(bench.subject.needsKey)('without a key nothing is sent', async () => {
      const { model, provider } = await bench.asked([say('never')], { key: null })
      const { failure } = await collected(provider.stream(request(bench.subject.model), new AbortController().signal))
      expect(failure).toMatchObject({ code: 'configuration', cause: 'no_key', retryable: false })
      expect(model.requests).toEqual([])
    })

    test('without a model nothing is sent', async () => {
      const { model, provider } = await bench.asked([say('never')])
      const { failure } = await collected(provider.stream(request(''), new AbortController().signal))
      expect([failure?.code, failure?.retryable, model.requests]).toEqual(['configuration', false, []])
    })

    test('nothing listens on the port', async () => {
      expect(await bench.failureOf([], { url: await refusingUrl() })).toMatchObject({ code: 'network', cause: 'refused', retryable: true })
    })

    test('the name does not exist', async () => {
      const failure = await bench.failureOf([], { url: 'http://nowhere.invalid' })
      expect(failure).toMatchObject({ code: 'network', cause: 'dns', retryable: true })
      expect(failure.message).toContain('nowhere.invalid')
    })

    test('the other side does not speak TLS', async () => {
      const { model } = await bench.asked([])
      expect(await bench.failureOf([], { url: model.url.replace('http:', 'https:') })).toMatchObject({
        code: 'network',
        cause: 'tls',
        retryable: false,
      })
    })

    test('the connection is closed without an answer', async () => {
      expect(await bench.failureOf([{ kind: 'hang_up' }])).toMatchObject({ code: 'network', retryable: true })
    })

    test('after a kept connection turned out dead the next request opens a new one', async () => {
      const { model, provider } = await bench.asked([say('one'), { kind: 'hang_up' }, say('three')])
      const ask = () => collected(provider.stream(request(bench.subject.model), new AbortController().signal))
      expect([(await ask()).text, (await ask()).failure?.code, (await ask()).text]).toEqual(['one', 'network', 'three'])
      const [first, second, third] = model.requests.map(({ connection }) => connection)
      expect([second === first, third === first]).toEqual([true, false])
    })
  })
}

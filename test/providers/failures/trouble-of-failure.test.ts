import { describe, expect, test } from 'vitest'
import type { FailureCause, FailureCode } from '../../../main/agent/ports/provider.ts'
import { failure } from '../../../main/providers/failures/failures.ts'
import { withoutKey } from '../../../main/providers/failures/redact-key.ts'
import { troubleOf } from '../../../main/providers/failures/trouble-of-failure.ts'

const NOW = new Date(2026, 10, 21, 15, 0, 40).getTime()

describe('the message about a failed request', () => {
  test('for a missing key has a code that opens the key’s field', () => {
    expect(troubleOf(failure('configuration', 'No key for Anthropic is set.', { cause: 'no_key' }), { nowMs: NOW })).toEqual({
      code: 'no_key',
      what: 'No key for Anthropic is set.',
      kept: 'Your message and everything done so far are kept.',
      todo: 'Add a key in Settings, then resume. Or start a rehearsal, which needs no key.',
    })
  })

  test('for a missing or invalid address has a code that opens the address field', () => {
    const missing = failure('configuration', 'OpenAI-compatible server: no address is set.', { cause: 'base_url' })
    expect(troubleOf(missing, { nowMs: NOW })).toEqual({
      code: 'base_url',
      what: 'OpenAI-compatible server: no address is set.',
      kept: 'Your message and everything done so far are kept.',
      todo: 'Correct the address in Settings, then resume.',
    })
  })

  test('gives the time of day if the service says when to retry', () => {
    const limited = failure('rate_limit', 'Anthropic is limiting requests (429).', { status: 429, retryAfterMs: 90_000 })
    expect(troubleOf(limited, { nowMs: NOW })).toEqual({
      code: 'rate_limit',
      what: 'Anthropic is limiting requests (429). You can try again at 15:02:10.',
      kept: 'Your message and everything done so far are kept.',
      todo: 'Resume after 15:02:10, or choose another model.',
    })
  })

  test('says how many words of an interrupted answer are kept', () => {
    const cut = failure('cut_off', 'The answer of Anthropic ended early.')
    const kept = (keptWords: number) => troubleOf(cut, { nowMs: NOW, keptWords }).kept
    expect([kept(1), kept(31)]).toEqual([
      'The word that arrived and everything done before are kept. No step of this answer was run.',
      'The 31 words that arrived and everything done before are kept. No step of this answer was run.',
    ])
  })

  const causes: readonly (readonly [FailureCode, FailureCause | undefined])[] = [
    ['authentication', undefined],
    ['network', 'dns'],
    ['network', 'refused'],
    ['network', 'tls'],
    ['network', 'unreachable'],
    ['network', undefined],
    ['configuration', 'proxy'],
    ['malformed', 'html'],
    ['malformed', 'redirect'],
    ['malformed', undefined],
    ['context_length', undefined],
    ['context_length', 'too_large'],
    ['overloaded', undefined],
    ['quota_exceeded', undefined],
    ['idle', undefined],
  ]

  test('suggests an action that is specific to the failure', () => {
    const ways = causes.map(([code, cause]) => troubleOf(failure(code, 'x', cause ? { cause } : {}), { nowMs: NOW }).todo)
    expect(new Set(ways).size).toBeGreaterThanOrEqual(causes.length - 1)
    for (const way of ways) expect(way).toMatch(/^[A-Z][^!]*\.$/)
  })
})

describe('keys never leak (D-56)', () => {
  const key = 'sk-ant-api03-abcdefghijkl'

  test.each([
    [`invalid x-api-key: ${key}`, 'invalid x-api-key: [key]'],
    ['Incorrect API key provided: sk-proj-AAAABBBBCCCCDDDD.', 'Incorrect API key provided: [key].'],
    ['API key AIzaSyA1234567890abcdefghijklmnopqrstuvw not valid', 'API key [key] not valid'],
    ['Authorization: Bearer abc.def.ghi-jkl', 'Authorization: Bearer [key]'],
    ['The key was wrong, ask for another.', 'The key was wrong, ask for another.'],
    ['risk-free keyboard', 'risk-free keyboard'],
  ])('%s', (text, clean) => {
    expect(withoutKey(text, key)).toBe(clean)
  })

  test('a very short key is not removed from inside words', () => {
    expect(withoutKey('a test of the tester', 'test')).toBe('a test of the tester')
  })
})

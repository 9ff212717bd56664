import { describe, expect, test } from 'vitest'
import { costUsd, findModel, modelsOf } from '../../../main/providers/catalogue/catalogue.ts'
import { buildRequest } from '../../driver/offline/build-request.ts'
import { historySchema } from '../../driver/offline/given-history.ts'
import { checkBaseUrl, providerEntry, PROVIDERS } from '../../../main/providers/provider-registry.ts'
import { providerVariables } from '../../../main/settings/provider-variables.ts'

describe('models', () => {
  const usage = { input: 1_000, output: 2_000, cacheRead: 50_000, cacheWrite: 4_000, reasoning: 500 }

  test('the cost of an answer includes input, output, cache reads and cache writes, and reasoning counts as output', () => {
    expect(costUsd('anthropic', 'claude-sonnet-5-5', usage)).toBeCloseTo((1_000 * 2 + 2_000 * 10 + 50_000 * 0.1 + 4_000 * 2.5) / 1e6, 12)
  })

  test('a long prompt, including its cached part, has a different price', () => {
    const long = { ...usage, cacheRead: 95_001 }
    expect(costUsd('anthropic', 'claude-haiku-5-5', { ...usage, cacheRead: 95_000 })).toBeCloseTo((100 + 1_000 + 950 + 500) / 1e6, 12)
    expect(costUsd('anthropic', 'claude-haiku-5-5', long)).toBeCloseTo((500 + 5_000 + 4_750.05 + 2_500) / 1e6, 12)
  })

  test('a long prompt to GPT costs twice as much for input and cache, and 1.5 times as much for output (P4)', () => {
    const at = (input: number) => costUsd('openai', 'gpt-6.1-sol', { ...usage, input, cacheRead: 0, cacheWrite: 0 })
    expect(at(272_000)).toBeCloseTo((272_000 * 2 + 2_000 * 10) / 1e6, 12)
    expect(at(272_001)).toBeCloseTo((272_001 * 4 + 2_000 * 15) / 1e6, 12)
  })

  test('an announced price change applies from its date', () => {
    const at = (atMs: number) => costUsd('gemini', 'gemini-4-argon', { ...usage, cacheRead: 0, cacheWrite: 0 }, { atMs })
    expect(at(Date.UTC(2026, 10, 30))).toBeCloseTo((1_000 * 2 + 2_000 * 10) / 1e6, 12)
    expect(at(Date.UTC(2026, 11, 1))).toBeCloseTo((1_000 * 4 + 2_000 * 20) / 1e6, 12)
  })

  test('the user’s prices override the list, and if they contain no cache price, cached tokens cost as much as input', () => {
    const own = (price: object) => costUsd('openai-compatible', 'm', usage, { own: { input: 3, output: 15, ...price } })
    expect(own({})).toBeCloseTo((55_000 * 3 + 2_000 * 15) / 1e6, 12)
    expect(own({ cacheRead: 0.3, cacheWrite: 3.75 })).toBeCloseTo((1_000 * 3 + 2_000 * 15 + 50_000 * 0.3 + 4_000 * 3.75) / 1e6, 12)
  })

  test('a model name that ends with a date counts as the model without the date, and an unknown name has no price', () => {
    expect(findModel('anthropic', 'claude-haiku-4-5-20251001')?.model).toBe('claude-haiku-4-5')
    expect([findModel('anthropic', 'claude-99'), costUsd('anthropic', 'claude-99', usage)]).toEqual([null, null])
    expect(findModel('openai', 'claude-haiku-4-5')).toBeNull()
  })

  test('a vendor’s aliases for a model count as the model and are sent unchanged (L-03, L-07)', async () => {
    const names = ['claude-haiku-4-5', 'claude-haiku-4-5-20251001', 'claude-haiku-4-5-latest']
    expect(names.map((name) => findModel('anthropic', name)?.model)).toEqual(names.map(() => 'claude-haiku-4-5'))
    const history = historySchema.parse([{ role: 'user', content: 'Go' }])
    const sent = names.map((model) => buildRequest({ provider: 'anthropic', history, tools: [], options: { model } }))
    expect((await Promise.all(sent)).map(({ body }) => (body as { readonly model: string }).model)).toEqual(names)
  })

  test('a provider’s first model is the newest version of its strongest model, and is the default (L-07)', () => {
    const first = PROVIDERS.map(({ id }) => [id, modelsOf(id)[0]?.model ?? null])
    expect(first).toEqual([
      ['anthropic', 'claude-opus-5-5'],
      ['openai', 'gpt-6.1-sol'],
      ['gemini', 'gemini-3.1-pro-preview'],
      ['openai-compatible', null],
      ['rehearsal', 'rehearsal'],
    ])
  })

  test('every model’s output limit is smaller than its window, and no name occurs twice', () => {
    const all = PROVIDERS.flatMap(({ id }) => modelsOf(id))
    expect(all.every(({ maxOutput, contextWindow }) => maxOutput < contextWindow)).toBe(true)
    expect(new Set(all.map(({ provider, model }) => `${provider}/${model}`)).size).toBe(all.length)
  })
})

describe('providers (D-49)', () => {
  test('there are five, and each says whether it needs a key', () => {
    expect(PROVIDERS.map(({ id, available, key }) => [id, available, key])).toEqual([
      ['anthropic', true, 'needed'],
      ['openai', true, 'needed'],
      ['gemini', true, 'needed'],
      ['openai-compatible', true, 'optional'],
      ['rehearsal', true, 'none'],
    ])
  })

  test('have the environment variables that the settings read', () => {
    for (const { id, keyVariables, baseUrlVariable } of PROVIDERS) {
      for (const [index, name] of keyVariables.entries()) expect(providerVariables(id, { [name]: `k${index}` }).key).toBe(`k${index}`)
      if (baseUrlVariable !== null) expect(providerVariables(id, { [baseUrlVariable]: 'u' }).baseUrl).toBe('u')
    }
  })

  test.each([
    ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com'],
    ['anthropic', ' https://gateway.example/llm/ ', 'https://gateway.example/llm'],
    ['anthropic', 'https://api.anthropic.com/v1/', 'https://api.anthropic.com'],
    ['anthropic', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['anthropic', 'http://[::1]:8080', 'http://[::1]:8080'],
    ['openai', 'https://api.openai.com', 'https://api.openai.com/v1'],
    ['openai', 'https://api.openai.com/v1', 'https://api.openai.com/v1'],
    ['openai-compatible', 'http://localhost:11434/v1', 'http://localhost:11434/v1'],
    ['gemini', 'https://generativelanguage.googleapis.com/', 'https://generativelanguage.googleapis.com'],
  ] as const)('%s accepts the address %s', (id, given, taken) => {
    expect(checkBaseUrl(id, given)).toEqual({ ok: true, value: taken })
  })

  test.each([
    ['anthropic', 'api.anthropic.com', 'is not a web address'],
    ['anthropic', 'ftp://x.example', 'is not a web address'],
    ['anthropic', 'http://192.168.0.7:8080', 'only for this computer'],
    ['anthropic', 'http://127.0.0.1.evil.example', 'only for this computer'],
    ['anthropic', 'https://user:pass@x.example', 'a user name or password'],
    ['anthropic', 'https://x.example/?key=1', 'must not contain “?”'],
    ['gemini', 'https://x.example/v1beta', 'without a path'],
  ] as const)('%s rejects the address %s', (id, given, why) => {
    const checked = checkBaseUrl(id, given)
    expect(checked.ok ? '' : checked.failure).toContain(why)
  })

  test('have valid default addresses', () => {
    for (const { id, baseUrl } of PROVIDERS)
      if (baseUrl !== null) expect(checkBaseUrl(id, baseUrl)).toEqual({ ok: true, value: providerEntry(id).baseUrl })
  })
})

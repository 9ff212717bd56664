import { describe, expect, test } from 'vitest'
import { requestListedModels, type ListParts } from '../../../main/providers/catalogue/request-listed-models.ts'
import { systemClock } from '../../../main/environment/system-clock.ts'
import { createVendorModels } from '../../../main/providers/catalogue/vendor-models.ts'
import { jsonDataFile } from '../../../main/settings/json-data-file.ts'
import { runAgent } from '../../headless/support/agent-process.ts'
import { modelServerWith } from '../../support/model-server-with.ts'
import { refusingUrl, say } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const LISTS: readonly (readonly [ListParts['provider'], string, string, unknown])[] = [
  [
    'anthropic',
    '',
    '/v1/models?limit=1000',
    { data: [{ type: 'model', id: 'claude-new', display_name: 'Claude New', max_input_tokens: 500_000 }] },
  ],
  ['openai', '/v1', '/v1/models', { data: [{ id: 'gpt-new' }, { id: 'text-embedding-3-large' }, { id: 'gpt-image-2' }] }],
  [
    'gemini',
    '',
    '/v1beta/models?pageSize=1000',
    {
      models: [
        { name: 'models/gemini-new', displayName: 'Gemini New', inputTokenLimit: 1_000, supportedGenerationMethods: ['generateContent'] },
        { name: 'models/embedding-001', supportedGenerationMethods: ['embedContent'] },
      ],
    },
  ],
  ['openai-compatible', '/v1', '/v1/models', { data: [{ id: 'vendor/new', context_length: 64_000 }] }],
]
const partsFor = (provider: ListParts['provider'], baseUrl: string): ListParts => ({
  provider,
  label: 'It',
  baseUrl,
  key: 'secret-0000',
  clock: systemClock,
})
const never = new AbortController().signal

describe('listing the models of a service (P3)', () => {
  test.each(LISTS)('%s: the chat models are listed by name', async (provider, base, path, answer) => {
    const { url } = await modelServerWith({ [path]: answer }, () => say('Yes.'))
    const told = await requestListedModels(partsFor(provider, `${url}${base}`), never)
    expect(told.ok && told.value.map(({ model }) => model)).toEqual([expect.stringMatching(/new$/)])
  })

  test('a refusal, an unreachable server and an invalid answer are failures with a message, without the key', async () => {
    const { url } = await modelServerWith({ '/v1/models': 'no' }, () => say('Yes.'))
    const told = await Promise.all([
      requestListedModels(partsFor('openai', `${url}/v1`), never),
      requestListedModels(partsFor('anthropic', url), never),
      requestListedModels(partsFor('gemini', await refusingUrl()), never),
    ])
    expect(told.map(({ ok }) => ok)).toEqual([false, false, false])
    expect(JSON.stringify(told)).not.toContain('secret-0000')
  })
})

test('a list is stored with its date, survives a restart, and is requested again after a day', async () => {
  const folder = temporaryFolder('lists')
  let now = 1_000
  let times = 0
  const ask = () => Promise.resolve((times++, { ok: true as const, value: [{ model: 'm', label: null, contextWindow: null }] }))
  await createVendorModels(() => now, jsonDataFile(folder, 'models')).ask('openai x', ask)
  const next = createVendorModels(() => now, jsonDataFile(folder, 'models'))
  expect(next.known('openai x')).toMatchObject({ atMs: 1_000, models: [{ model: 'm' }] })
  await next.ask('openai x', ask)
  expect(times).toBe(1)
  now += 86_400_000
  await next.ask('openai x', ask)
  expect([times, next.known('openai x')?.atMs]).toEqual([2, now])
})

test('--list-models also prints the service’s models, and a model that is not listed still works', async () => {
  const [, , path, answer] = LISTS[0] ?? []
  const { url } = await modelServerWith({ [path ?? '']: answer }, () => say('Hello.'))
  const at = {
    cwd: temporaryFolder('project'),
    data: temporaryFolder('data'),
    env: { ANTHROPIC_API_KEY: 'sk-ant-test-0000', ANTHROPIC_BASE_URL: url },
  }
  const listed = await runAgent(['--provider', 'anthropic', '--list-models', '--no-json'], at)
  expect(listed.code).toBe(0)
  expect(listed.stdout).toMatch(/^claude-new\t500000 tokens\tprice unknown\tlisted$/m)
  expect(listed.stdout).toMatch(/^claude-opus-5-5\t1000000 tokens\t\$4 in, \$20 out per million tokens\tnot listed$/m)
  expect((await runAgent(['--provider', 'anthropic', '--model', 'claude-unheard-of', 'Hello'], at)).code).toBe(0)
})

test('--price and --context-window apply to the run', async () => {
  const { url } = await modelServerWith({}, () => say('Done.', { usage: { input: 1_000, output: 100 } }))
  const at = { cwd: temporaryFolder('project'), data: temporaryFolder('data'), env: {} }
  const args = [
    '--provider',
    'openai-compatible',
    '--model',
    'm',
    '--base-url',
    `${url}/v1`,
    '--price',
    '3,15',
    '--context-window',
    '65536',
    'Hello',
  ]
  const { code, events } = await runAgent(args, at)
  const costs = events.flatMap((event) => (event.kind === 'USAGE' ? [event.costUsd] : []))
  expect([code, costs]).toEqual([0, [expect.closeTo((1_000 * 3 + 100 * 15) / 1e6, 9)]])
})

test('OpenRouter’s prices per token apply to a run and are shown per million, and a variable price counts as unknown', async () => {
  const list = {
    data: [
      { id: 'vendor/m', context_length: 64_000, pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.00000025' } },
      { id: 'router/auto', pricing: { prompt: '-1', completion: '-1' } },
    ],
  }
  const { url } = await modelServerWith({ '/v1/models': list }, () =>
    say('Done.', { usage: { input: 1_000, output: 100, cacheRead: 500 } }),
  )
  const at = {
    cwd: temporaryFolder('project'),
    data: temporaryFolder('data'),
    env: { OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` },
  }
  const listed = await runAgent(['--provider', 'openai-compatible', '--list-models', '--no-json'], at)
  expect(listed.stdout).toMatch(/^vendor\/m\t64000 tokens\t\$3 in, \$15 out per million tokens\tlisted$/m)
  expect(listed.stdout).toMatch(/^router\/auto\tcontext unknown\tprice unknown\tlisted$/m)
  const { events } = await runAgent(['--provider', 'openai-compatible', '--model', 'vendor/m', 'Hello'], at)
  const costs = events.flatMap((event) => (event.kind === 'USAGE' ? [event.costUsd] : []))
  expect(costs).toEqual([expect.closeTo((1_000 * 3 + 500 * 0.25 + 100 * 15) / 1e6, 9)])
})

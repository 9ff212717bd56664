import { expect, test } from 'vitest'
import { modelOptions, recentFirst } from '../../../renderer/ui/model-options.ts'
import type { LocalServer, ProviderFacts } from '../../../shared/api/settings.ts'

const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const facts = (
  provider: ProviderFacts['provider'],
  label: string,
  key: ProviderFacts['key'],
  models: readonly string[],
): ProviderFacts => ({
  provider,
  label,
  key,
  ending: null,
  keptIn: null,
  baseUrl: null,
  available: true,
  modelList: null,
  models: models.map((model) => ({ model, label: model, contextWindow: 200_000, price })),
})
const ANTHROPIC = facts('anthropic', 'Anthropic', 'set', ['claude-a', 'claude-b'])
const OPENAI = facts('openai', 'OpenAI', 'set', ['gpt-x'])
const GEMINI = facts('gemini', 'Gemini', 'not_set', ['gemini-y'])
const COMPATIBLE = facts('openai-compatible', 'OpenAI-compatible server', 'optional', [])
const OLLAMA: LocalServer = {
  label: 'Ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  models: [{ model: 'qwen3', contextWindow: 32_768 }],
}
const ALL = [ANTHROPIC, OPENAI, GEMINI, COMPATIBLE]

test('models on this computer come first, then the current provider’s, then other providers’ with a key', () => {
  const { options, selected } = modelOptions({ provider: 'openai', model: 'gpt-x', baseUrl: null }, ALL, [OLLAMA])
  expect(options.map(({ label, group }) => `${group ?? ''}: ${label}`)).toEqual([
    'Ollama, 127.0.0.1:11434: qwen3',
    'OpenAI, $ per million tokens in / out: gpt-x',
    'Anthropic, $ per million tokens in / out: claude-a',
    'Anthropic, $ per million tokens in / out: claude-b',
  ])
  expect(options.find(({ id }) => id === selected)?.label).toBe('gpt-x')
  expect(options[0]?.asks).toEqual({ provider: 'openai-compatible', model: 'qwen3', baseUrl: OLLAMA.baseUrl })
})

test('prices are shown under the heading “$ per million tokens in / out”', () => {
  const [option] = modelOptions({ provider: 'openai', model: 'gpt-x', baseUrl: null }, [OPENAI], []).options
  expect([option?.group, option?.aside, option?.hint]).toEqual([
    'OpenAI, $ per million tokens in / out',
    '$3.00 / $15.00',
    '200k tokens of context',
  ])
})

test('an unlisted model appears under its own name, and is selected', () => {
  const { options, selected } = modelOptions({ provider: 'anthropic', model: 'claude-next', baseUrl: null }, ALL, [])
  expect(options[0]).toEqual({
    id: selected,
    label: 'claude-next',
    group: 'Anthropic, $ per million tokens in / out',
    asks: { provider: 'anthropic', model: 'claude-next', baseUrl: null },
  })
})

test('a model of a server on this computer is selected, whether the address comes from the session or the settings', () => {
  const settled = [ANTHROPIC, { ...COMPATIBLE, baseUrl: OLLAMA.baseUrl }]
  for (const baseUrl of [null, OLLAMA.baseUrl]) {
    const { options, selected } = modelOptions({ provider: 'openai-compatible', model: 'qwen3', baseUrl }, settled, [OLLAMA])
    expect(options.filter(({ label }) => label === 'qwen3').map(({ id }) => id)).toEqual([selected])
  }
})

test('if no model is set, no option is selected', () => {
  expect(modelOptions({ provider: 'openai-compatible', model: '', baseUrl: null }, [COMPATIBLE], []).selected).toBeNull()
})

test('in a long list, the three models that were chosen last come first, each once', () => {
  const many = facts('openai', 'OpenAI', 'set', ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'])
  const { options } = modelOptions({ provider: 'openai', model: 'm0', baseUrl: null }, [many], [])
  const ids = options.map(({ id }) => id)
  const recent = ['an id that is gone', ids[5], ids[2], ids[7], ids[1]].filter((id) => id !== undefined)
  const first = recentFirst(options, recent)
  expect(first.map(({ label }) => label)).toEqual(['m5', 'm2', 'm7', 'm0', 'm1', 'm3', 'm4', 'm6'])
  expect(first.map(({ group }) => group?.split(',', 1)[0]).join(' ')).toBe('Recent Recent Recent OpenAI OpenAI OpenAI OpenAI OpenAI')
  expect(recentFirst(options.slice(0, 7), recent)).toEqual(options.slice(0, 7))
})

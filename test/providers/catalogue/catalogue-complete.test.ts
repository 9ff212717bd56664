import { wordList } from '../../../shared/lib/word-list.ts'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { undated, CATALOGUE, CATALOGUE_DATE } from '../../../main/providers/catalogue/catalogue.ts'

/** Models that an SDK lists but the catalogue leaves out: a pattern for their names, and the reason. */
const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/^claude-mythos/, 'open to invited organisations only'],
  [/^gpt-[34]|^chatgpt-4o|^o\d|^gpt-4o/, 'shut down or to be shut down before February 2027, by the SDK’s own note'],
  [/-(chat|search|deep-research|audio|cyber)\b|audio|^computer-use/, 'made for chat, search, sound or one field, not for work with tools'],
  [/daybreak|rosalind/, 'made for one field'],
  [/^gpt-5\.1-mini$/, 'no model, by the SDK’s own note'],
  [/^gpt-5(\.1)?-(codex|pro)$|^codex-mini/, 'replaced by gpt-5.1-codex-max and later models'],
  [/^gemma/, 'open weights, reached through a server of one’s own'],
  [/image|banana|tts|transcribe|lyria|robotics|omni/, 'makes pictures, sound or movements'],
]

const TYPES = {
  anthropic: ['@anthropic-ai/sdk/resources/messages/messages.d.ts', /export type Model = ([^;]+);/],
  openai: ['openai/resources/shared.d.ts', /export type ChatModel = ([^;]+);|export type ResponsesModel = ([^;]+);/g],
  gemini: ['@google/genai/dist/genai.d.ts', /type Model_2 = ([^;]+);/],
} as const

/** Returns the models in the types of an installed SDK, without the dates at the end of their names. */
async function namesIn([path, type]: (typeof TYPES)[keyof typeof TYPES]): Promise<readonly string[]> {
  const text = await readFile(new URL(`../../../node_modules/${path}`, import.meta.url), 'utf8')
  const unions = [...text.matchAll(new RegExp(type, 'g'))].map((found) => found.slice(1).join(''))
  const names = unions.flatMap((union) => [...union.matchAll(/['"]([\w.-]+)['"]/g)].map(([, name = '']) => name))
  return [...new Set(names.map((name) => (name.endsWith('-latest') ? name : undated(name))))]
}

describe.each(Object.entries(TYPES))('the catalog compared with the models of the installed SDK: %s (P3)', (provider, place) => {
  test('every suitable model is either in the catalog or left out for a stated reason', async () => {
    const named = await namesIn(place)
    const known = CATALOGUE.flatMap(({ model, aliases = [] }) => [model, ...aliases])
    const missing = named.filter((name) => !known.includes(name) && !LEFT_OUT.some(([names]) => names.test(name)))
    expect(named.length).toBeGreaterThan(10)
    expect(missing).toEqual([])
  })

  test('every model in the catalog is known to the SDK', async () => {
    const named = await namesIn(place)
    const own = CATALOGUE.filter((entry) => entry.provider === provider).map(({ model }) => undated(model))
    expect(own.filter((model) => !named.includes(model))).toEqual([])
  })
})

test('the catalog has a date, each model has efforts, and every default model has a price', () => {
  expect(CATALOGUE_DATE).toMatch(/^20\d\d-\d\d-\d\d$/)
  expect(CATALOGUE.filter(({ provider, efforts }) => provider !== 'rehearsal' && efforts.length === 0)).toEqual([])
  const first = (['anthropic', 'openai', 'gemini'] as const).map((provider) => CATALOGUE.find((entry) => entry.provider === provider))
  expect(first.every((entry) => entry?.price)).toBe(true)
})

test('every price has a source, and every source a price (P3)', () => {
  const vendors = CATALOGUE.filter(({ provider }) => provider !== 'rehearsal')
  const wrong = vendors.filter(({ price, rests }) => (price === null) !== (rests.price === null) || rests.price === 'assumed')
  expect(wrong.map(({ model }) => model)).toEqual([])
})

test('cache prices without a source are marked, so that the interface calls them assumed', () => {
  expect(CATALOGUE.flatMap(({ model, price }) => (price?.assumedCache ? [model] : []))).toEqual(
    wordList(`
  gpt-6.1-sol gpt-6.1-terra gpt-6-astra gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna gpt-5.2 gpt-5.1 gemini-3.7-flash
  gemini-3.5-flash-lite gemini-2.5-pro gemini-2.5-flash gemini-2.5-flash-lite
`),
  )
})

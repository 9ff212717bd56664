import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLearned } from '../../../main/providers/catalogue/learned-from-refusals.ts'
import { servedWindow, type ServedWindow } from '../../../main/providers/catalogue/served-context-windows.ts'
import { tokenLimitIn } from '../../../main/providers/failures/token-limit.ts'
import { windowOf } from '../../../main/providers/catalogue/window-of-model.ts'

/** Starts a server that answers these paths with JSON, and every other path with 404. */
async function serverWith(answers: Readonly<Record<string, unknown>>): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const OLLAMA = { model_info: { 'llama.context_length': 131_072 }, parameters: 'temperature 0.7' }

describe('local servers report the real window of a model (P2)', () => {
  test.each<[string, Readonly<Record<string, unknown>>, number | null]>([
    ['Ollama with default settings', { '/api/show': OLLAMA }, 4_096],
    ['Ollama, with num_ctx', { '/api/show': { ...OLLAMA, parameters: 'num_ctx                        8192' } }, 8_192],
    [
      'Ollama with the model loaded',
      { '/api/show': OLLAMA, '/api/ps': { models: [{ name: 'm:latest', context_length: 65_536 }] } },
      65_536,
    ],
    ['llama.cpp', { '/props': { default_generation_settings: { n_ctx: 16_384 } } }, 16_384],
    ['vLLM', { '/v1/models': { data: [{ id: 'm', max_model_len: 40_960 }] } }, 40_960],
    ['LM Studio', { '/api/v0/models/m': { id: 'm', max_context_length: 131_072, loaded_context_length: 4_096 } }, 4_096],
    ['null for a server that does not report it', { '/v1/models': { data: [{ id: 'm' }] } }, null],
    ['null for a server that answers with nonsense', { '/props': 'no', '/api/show': [], '/v1/models': 3 }, null],
  ])('%s', async (_, answers, tokens) => {
    expect((await servedWindow(await serverWith(answers), 'm'))?.tokens ?? null).toBe(tokens)
  })

  test('an unreachable server gives no window, and causes no error', async () => {
    expect(await servedWindow('http://127.0.0.1:1/v1', 'm')).toBeNull()
  })
})

const parts = (served: ServedWindow | null = null, set: number | null = null) => ({
  learned: createLearned(() => 0),
  served: () => served,
  set: () => set,
})

describe('the limit that triggers compaction (P5)', () => {
  test('room for the answer is subtracted if the window includes the answer', () => {
    expect(windowOf(parts(), { provider: 'openai', model: 'gpt-5.4-mini' }, null)).toMatchObject({
      contextWindow: 400_000,
      inputLimit: 272_000,
    })
    expect(windowOf(parts(), { provider: 'gemini', model: 'gemini-3.8-flash' }, null).inputLimit).toBe(1_048_576)
    expect(windowOf(parts({ tokens: 32_768, raise: null }), { provider: 'openai-compatible', model: 'm' }, 'x').inputLimit).toBe(24_576)
  })

  test('an unknown window gets an assumed size, marked as assumed', () => {
    const window = windowOf(parts(), { provider: 'openai-compatible', model: 'm' }, null)
    expect(window).toMatchObject({ contextWindow: null, inputLimit: 128_000, trouble: { code: 'window_assumed' } })
  })

  test('a warning about a small window says how to get a larger window', async () => {
    const served = await servedWindow(await serverWith({ '/api/show': OLLAMA }), 'm')
    const { trouble } = windowOf(parts(served), { provider: 'openai-compatible', model: 'm' }, 'x')
    expect(trouble).toMatchObject({
      code: 'window_small',
      what: expect.stringContaining('4,096') as unknown,
      todo: expect.stringContaining('OLLAMA_CONTEXT_LENGTH') as unknown,
    })
  })

  test('a limit that the service stated in a refusal overrides the catalog, and the user’s setting overrides both', () => {
    const told = parts()
    told.learned.setWindow('openai https://api.openai.com/v1', 'gpt-5.5', 200_000)
    const config = { provider: 'openai', model: 'gpt-5.5' } as const
    expect(windowOf(told, config, 'https://api.openai.com/v1').inputLimit).toBe(200_000)
    expect(windowOf({ ...told, set: () => 50_000 }, config, 'https://api.openai.com/v1').inputLimit).toBe(50_000)
  })

  test.each([
    ["This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 8_192],
    ['prompt is too long: 215000 tokens > 200000 maximum', 200_000],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
    ['the request exceeds the available context size (4096 tokens)', 4_096],
    ['Input length 9000 exceeds: current length is 9000 while limit is 8192', 8_192],
    ['The conversation is too long for the model.', null],
  ])('%s', (words, tokens) => {
    expect(tokenLimitIn(words)).toBe(tokens)
  })
})

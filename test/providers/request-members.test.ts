import { describe, expect, test } from 'vitest'
import { STREAM_LIMITS } from '../../main/providers/http/exchange.ts'
import { buildRequest } from '../driver/offline/build-request.ts'
import { historySchema } from '../driver/offline/given-history.ts'
import type { WireName } from '../driver/offline/provider-over-transport.ts'
import { DEFAULT_SETTINGS } from '../../main/settings/default-settings.ts'

const TOOL = { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }

describe('options for sampling, stop sequences and tool choice are sent only if they are set (L-12, S-12)', () => {
  test.each<[WireName, string, readonly string[], readonly string[]]>([
    ['anthropic', 'claude-opus-4-8', ['max_tokens', 'messages', 'model', 'stream', 'system', 'tools'], ['output_config', 'thinking']],
    ['openai-chat', 'gpt-5.5', ['messages', 'model', 'stream', 'stream_options', 'tools'], ['reasoning_effort']],
    ['openai-chat', 'deepseek-v4-pro', ['messages', 'model', 'stream', 'stream_options', 'tools'], ['reasoning_effort']],
    ['openai-chat', 'google/gemini-3.8-flash', ['messages', 'model', 'stream', 'stream_options', 'tools'], ['reasoning_effort']],
    ['openai-chat', 'qwen3-coder', ['messages', 'model', 'stream', 'stream_options', 'tools'], []],
    [
      'openai-responses',
      'gpt-5.5',
      ['include', 'input', 'instructions', 'model', 'parallel_tool_calls', 'prompt_cache_key', 'reasoning', 'store', 'stream', 'tools'],
      [],
    ],
    [
      'openai-responses',
      'gpt-4.1',
      ['input', 'instructions', 'model', 'parallel_tool_calls', 'prompt_cache_key', 'store', 'stream', 'tools'],
      [],
    ],
    ['gemini', 'gemini-2.5-pro', ['contents', 'generationConfig', 'systemInstruction', 'tools'], []],
  ])('%s, %s', async (provider, model, plain, withEffort) => {
    const history = historySchema.parse([{ role: 'user', content: 'Go' }])
    const members = async (effort: 'high' | null): Promise<readonly string[]> => {
      const { body } = await buildRequest({ provider, history, tools: [TOOL], options: { model, system: 'Be good.', effort } })
      const { generationConfig = {} } = body as { readonly generationConfig?: object }
      expect(Object.keys(generationConfig).filter((name) => name !== 'thinkingConfig')).toEqual([])
      return Object.keys(body as object).toSorted()
    }
    expect(await members(null)).toEqual(plain)
    expect(await members('high')).toEqual([...plain, ...withEffort].toSorted())
  })
})

test('the time limit for connecting is ten seconds, and that for silence is five minutes: L-26 says 30 seconds, but reasoning can take longer', () => {
  expect(STREAM_LIMITS).toEqual({ connectMs: 10_000, firstByteMs: 300_000, idleMs: 300_000 })
  expect(DEFAULT_SETTINGS.idleLimitMs).toBe(300_000)
})

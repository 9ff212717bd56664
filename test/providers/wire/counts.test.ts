import { describe, expect, test } from 'vitest'
import type { WireName } from '../../driver/offline/provider-over-transport.ts'
import { decode, frames } from '../support/decoded.ts'

/** A complete answer with the text “x” whose usage figures are all this value. */
const BODIES: Readonly<Record<WireName, (n: unknown) => string>> = {
  anthropic: (n) => {
    const usage = { input_tokens: n, output_tokens: n, cache_read_input_tokens: n, cache_creation_input_tokens: n }
    return frames(
      { type: 'message_start', message: { id: 'm', content: [{ type: 'text', text: 'x' }], usage } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { ...usage, output_tokens_details: { thinking_tokens: n } } },
      { type: 'message_stop' },
    )
  },
  'openai-responses': (n) => {
    const details = { input_tokens_details: { cached_tokens: n }, output_tokens_details: { reasoning_tokens: n } }
    const usage = { input_tokens: n, output_tokens: n, ...details }
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'x' }] }]
    return frames({ type: 'response.completed', response: { id: 'r', status: 'completed', output, usage } })
  },
  'openai-chat': (n) => {
    const details = { prompt_tokens_details: { cached_tokens: n }, completion_tokens_details: { reasoning_tokens: n } }
    const usage = { prompt_tokens: n, completion_tokens: n, prompt_cache_hit_tokens: n, ...details }
    return frames({ id: 'c', choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }], usage }, '[DONE]')
  },
  gemini: (n) => {
    const counts = { promptTokenCount: n, candidatesTokenCount: n, thoughtsTokenCount: n, cachedContentTokenCount: n }
    const candidates = [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }]
    return frames({ candidates, usageMetadata: { ...counts, toolUsePromptTokenCount: n } })
  },
}

describe.each(Object.keys(BODIES) as WireName[])('%s', (wire) => {
  test.each([-5000, 1.5, 1e308, 2 ** 53, '7', null, Number.NaN, {}])('a count of %j tokens is ignored (L-14)', async (n) => {
    const { usage, message, error } = await decode(wire, BODIES[wire](n))
    expect([message.text, error]).toEqual(['x', null])
    expect(usage).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
  })

  test('whole numbers are accepted', async () => {
    const { usage } = await decode(wire, BODIES[wire](4))
    expect([usage.output > 0, usage.cacheRead]).toEqual([true, 4])
  })
})

test('an invalid count leaves the previous count unchanged', async () => {
  const body = frames(
    { type: 'message_start', message: { id: 'm', content: [], usage: { input_tokens: 9, output_tokens: 3 } } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: -1, output_tokens: 0.5 } },
    { type: 'message_stop' },
  )
  expect((await decode('anthropic', body)).usage).toEqual({ input: 9, output: 3, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
})

import { describe, expect, test } from 'vitest'
import { buildRequest } from '../driver/offline/build-request.ts'
import { historySchema } from '../driver/offline/given-history.ts'
import type { WireName } from '../driver/offline/provider-over-transport.ts'
import { EFFORTS, nearestEffort } from '../../shared/session/settings/model-facts.ts'

const history = historySchema.parse([{ role: 'user', content: 'Go' }])

async function bodyOf(provider: WireName, model: string, effort: (typeof EFFORTS)[number]): Promise<Record<string, unknown>> {
  const { body } = await buildRequest({ provider, history, tools: [], options: { model, system: 'Be good.', effort } })
  return body as Record<string, unknown>
}

describe('efforts besides low, medium and high (P7, S9)', () => {
  test.each<[WireName, string, (typeof EFFORTS)[number], object]>([
    ['openai-responses', 'gpt-6-sol', 'xhigh', { reasoning: { effort: 'xhigh' } }],
    ['openai-responses', 'gpt-6-sol', 'max', { reasoning: { effort: 'max' } }],
    ['openai-responses', 'gpt-5.4', 'max', { reasoning: { effort: 'xhigh' } }],
    ['openai-responses', 'gpt-5', 'none', { reasoning: { effort: 'minimal' } }],
    ['openai-responses', 'gpt-5-of-next-year', 'xhigh', { reasoning: { effort: 'xhigh' } }],
    ['openai-chat', 'openai/gpt-5.4', 'xhigh', { reasoning_effort: 'xhigh' }],
    ['openai-chat', 'anthropic/claude-opus-4.8', 'high', { reasoning_effort: 'high' }],
    ['openai-chat', 'x-ai/grok-4', 'low', { reasoning_effort: 'low' }],
    ['openai-chat', 'google/gemini-flash-latest', 'high', { reasoning_effort: 'high' }],
    ['anthropic', 'claude-opus-5-5', 'xhigh', { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } }],
    ['anthropic', 'claude-opus-5-5', 'minimal', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    ['anthropic', 'claude-opus-4-6', 'xhigh', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    ['anthropic', 'claude-opus-5', 'none', { thinking: { type: 'disabled' } }],
    ['anthropic', 'claude-opus-5-5', 'none', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    ['anthropic', 'claude-haiku-4-5', 'max', { max_tokens: 63_999, thinking: { type: 'enabled', budget_tokens: 31_999 } }],
    [
      'gemini',
      'gemini-3.8-flash',
      'minimal',
      { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'minimal' } } },
    ],
    ['gemini', 'gemini-3.1-pro-preview', 'none', { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } } }],
    ['gemini', 'gemini-3.8-flash', 'max', { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' } } }],
    ['gemini', 'gemini-2.5-flash', 'none', { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }],
  ])('%s, %s: %s', async (provider, model, effort, expected) => {
    expect(await bodyOf(provider, model, effort)).toMatchObject(expected)
  })

  test('a reasoning budget always leaves room for an answer', async () => {
    for (const model of ['claude-haiku-4-5', 'claude-opus-4-1-20250805', 'some-local-model'])
      for (const effort of EFFORTS) {
        const { thinking, max_tokens } = await bodyOf('anthropic', model, effort)
        const budget = (thinking as { readonly budget_tokens?: number } | undefined)?.budget_tokens ?? 0
        expect(budget).toBeLessThanOrEqual((max_tokens as number) * 0.8)
      }
  })

  test('with the effort none, no reasoning is requested if the model allows that', async () => {
    const body = await bodyOf('anthropic', 'claude-opus-4-8', 'none')
    expect([body['thinking'], body['output_config']]).toEqual([undefined, undefined])
  })
})

describe.each(['gemini-flash-latest', 'gemini-pro-latest', 'gemini-flash-lite-latest'])('the newest model’s alias %s (P7)', (model) => {
  test('supports a reasoning level and requests the reasoning text', async () => {
    expect(await bodyOf('gemini', model, 'high')).toMatchObject({
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' } },
    })
  })

  test.each<[WireName, string]>([
    ['gemini', model],
    ['openai-chat', `google/${model}`],
  ])('%s: a placeholder signature is sent with another model’s first call', async (provider, name) => {
    const other = historySchema.parse([
      { kind: 'user', content: 'Go' },
      {
        kind: 'assistant',
        content: [{ kind: 'tool_call', toolCallId: 'c1', toolName: 'ls', args: {} }],
        provider: 'anthropic',
        model: 'claude-opus-5-5',
      },
      { kind: 'tool_results', results: [{ toolCallId: 'c1', output: 'a' }] },
    ])
    const { body } = await buildRequest({ provider, history: other, tools: [], options: { model: name } })
    expect(JSON.stringify(body)).toContain('skip_thought_signature_validator')
  })
})

test('an unsupported effort is replaced by the nearest supported effort, or by the lower of two equally near efforts', () => {
  expect([nearestEffort('max', ['low', 'high']), nearestEffort('medium', ['low', 'high']), nearestEffort('none', ['minimal'])]).toEqual([
    'high',
    'low',
    'minimal',
  ])
})

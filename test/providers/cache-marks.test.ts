import { describe, expect, onTestFinished, test } from 'vitest'
import type { ModelRequest } from '../../main/agent/ports/provider.ts'
import { costUsd } from '../../main/providers/catalogue/catalogue.ts'
import { STREAM_LIMITS } from '../../main/providers/http/exchange.ts'
import { createRemote } from '../../main/providers/providers.ts'
import { systemClock } from '../../main/environment/system-clock.ts'
import { ToolCallId } from '../../shared/lib/ids.ts'
import { NO_USAGE } from '../../shared/session/content.ts'
import type { Turn } from '../../shared/session/conversation-turns.ts'
import { collected, request } from '../support/collected.ts'
import { say, type Script, startScriptedModel, stream } from '../support/scripted-model.ts'

const id = ToolCallId.parse('call_1')
const TURNS: readonly Turn[] = [
  { kind: 'user', content: 'First' },
  {
    kind: 'assistant',
    provider: 'anthropic',
    model: 'claude-opus-5-5',
    usage: NO_USAGE,
    responseId: null,
    content: [{ kind: 'tool_call', toolCallId: id, toolName: 'look', argsText: '{}' }],
  },
  { kind: 'tool_results', results: [{ toolCallId: id, toolName: 'look', output: 'Seen.', isError: false }] },
  { kind: 'user', content: 'Second' },
]
const TOOLS = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }]

async function asked(
  provider: 'anthropic' | 'openai-compatible',
  model: string,
  parts: Partial<ModelRequest> = {},
  script: Script = () => say('Yes.'),
) {
  const server = await startScriptedModel(script)
  onTestFinished(() => server.close())
  const open = createRemote(provider, {
    label: 'The service',
    key: () => Promise.resolve('test-key-0000'),
    clock: systemClock,
    limits: STREAM_LIMITS,
    baseUrl: provider === 'anthropic' ? server.url : `${server.url}/v1`,
  })
  onTestFinished(() => open.close())
  const got = await collected(open.stream(request(model, { tools: TOOLS, turns: TURNS, ...parts }), new AbortController().signal))
  return { usage: got.answer?.usage, json: server.requests[0]?.json ?? {} }
}

/** Returns the lifetimes of the cache marks in a request, in order. */
function marksIn(json: unknown): readonly string[] {
  return [...JSON.stringify(json).matchAll(/"cache_control":\{"type":"ephemeral"(?:,"ttl":"(\w+)")?\}/g)].map(([, ttl = '5m']) => ttl)
}

describe('cache marks (P4, L-21)', () => {
  test('tools and prompt are cached for an hour, messages for five minutes, or an hour if a pause is likely', async () => {
    const at = await asked('anthropic', 'claude-opus-5-5')
    const paused = await asked('anthropic', 'claude-opus-5-5', { pauseLikely: true })
    const { tools, system, messages } = at.json
    expect([tools, system, messages].map(marksIn)).toEqual([['1h'], ['1h'], ['5m', '5m']])
    expect([paused.json['tools'], paused.json['system'], paused.json['messages']].map(marksIn)).toEqual([['1h'], ['1h'], ['1h', '1h']])
  })

  test('there are at most four marks, and no one-hour mark after a five-minute one', async () => {
    const { json } = await asked('anthropic', 'claude-opus-5-5')
    const inOrder = [json['tools'], json['system'], json['messages']].flatMap(marksIn)
    expect(inOrder).toHaveLength(4)
    expect(inOrder).toEqual(inOrder.toSorted())
  })

  test.each(['anthropic/claude-sonnet-4.6', 'openrouter/anthropic/claude-opus-5.5'])(
    'a gateway gets cache marks for %s: after the prompt, the newest result and the newest message',
    async (model) => {
      const { json } = await asked('openai-compatible', model)
      const messages = json['messages'] as readonly { readonly role: string }[]
      expect(messages.map((message) => [message.role, ...marksIn(message)])).toEqual([
        ['system', '1h'],
        ['user', '5m'],
        ['assistant'],
        ['tool'],
        ['user', '5m'],
      ])
    },
  )

  test.each(['openai/gpt-6.1-sol', 'qwen3:8b'])('no other model gets cache marks: %s', async (model) => {
    expect(marksIn((await asked('openai-compatible', model, { pauseLikely: true })).json)).toEqual([])
  })
})

describe('the price of the cache', () => {
  test('tokens cached for an hour are counted separately from tokens cached for five minutes, and cost twice as much as input', async () => {
    const counted = {
      input_tokens: 100,
      output_tokens: 1,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 30_000,
      cache_creation: { ephemeral_5m_input_tokens: 10_000, ephemeral_1h_input_tokens: 20_000 },
    }
    const events = [
      { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: counted } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Yes.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 10 } },
      { type: 'message_stop' },
    ]
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    const { usage } = await asked('anthropic', 'claude-opus-5-5', {}, () => stream(body))
    expect(usage).toMatchObject({ input: 100, output: 10, cacheWrite: 30_000, cacheWriteHour: 20_000 })
    expect(usage && costUsd('anthropic', 'claude-opus-5-5', usage)).toBeCloseTo((100 * 4 + 10 * 20 + 10_000 * 5 + 20_000 * 8) / 1e6, 12)
  })

  test('tokens that a gateway reports as written to the cache are not counted as input again', async () => {
    const { usage } = await asked('openai-compatible', 'anthropic/claude-sonnet-4.6', {}, () =>
      say('Yes.', { usage: { input: 500, cacheRead: 2_000, cacheWrite: 3_000, output: 7 } }),
    )
    expect(usage).toMatchObject({ input: 500, cacheRead: 2_000, cacheWrite: 3_000, output: 7 })
  })
})

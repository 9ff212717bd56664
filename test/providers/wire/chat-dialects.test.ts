import { describe, expect, test } from 'vitest'
import { historySchema } from '../../driver/offline/given-history.ts'
import { buildRequest } from '../../driver/offline/build-request.ts'
import { decode, frames, torn } from '../support/decoded.ts'

const WIRE = 'openai-chat'
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}, ofChoice: object = {}) => ({
  id: 'x',
  choices: [{ index: 0, delta, finish_reason, ...ofChoice }],
  ...more,
})
const piece = (made: object, finish_reason: string | null = null) => chunk({ tool_calls: [made] }, finish_reason)
const LS = { id: 'c1', name: 'ls', args: { path: '.' }, executable: true }

/** How servers that imitate Chat Completions differ from OpenAI. */
describe('usage is found wherever a server reports it, and is counted once', () => {
  const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 }
  const plain = { input: 20, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  test.each([
    ['in the choice', chunk({}, 'stop', {}, { usage }), plain],
    ['in a separate member', chunk({}, 'stop', { x_groq: { usage } }), plain],
    ['under the names of the Responses API', chunk({}, 'stop', { usage: { input_tokens: 20, output_tokens: 5 } }), plain],
    ['cached tokens at the top level', chunk({}, 'stop', { usage: { ...usage, cached_tokens: 8 } }), { ...plain, input: 12, cacheRead: 8 }],
    [
      'tokens written to the cache at the top level',
      chunk({}, 'stop', { usage: { ...usage, prompt_tokens_details: { cached_tokens: 8 }, cache_creation_input_tokens: 6 } }),
      { ...plain, input: 6, cacheRead: 8, cacheWrite: 6 },
    ],
    [
      'reasoning that the total shows to be extra output',
      chunk({}, 'stop', { usage: { ...usage, total_tokens: 125, completion_tokens_details: { reasoning_tokens: 100 } } }),
      { ...plain, output: 105, reasoning: 100 },
    ],
    [
      'reasoning that the total shows to be part of the output',
      chunk({}, 'stop', { usage: { ...usage, completion_tokens_details: { reasoning_tokens: 4 } } }),
      { ...plain, reasoning: 4 },
    ],
  ])('%s', async (_, end, expected) => {
    expect((await decode(WIRE, frames(chunk({ content: 'Hi' }), end, '[DONE]'))).usage).toEqual(expected)
  })
})

describe('reasoning is separated from the answer', () => {
  test.each([
    [
      'thinking parts in the content',
      [
        {
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
            { type: 'text', text: 'Yes' },
          ],
        },
      ],
    ],
    [
      'reasoning_details without plain text',
      [{ reasoning_details: [{ type: 'reasoning.text', text: 'H' }] }, { reasoning_details: [{ summary: 'm' }] }, { content: 'Yes' }],
    ],
    [
      'reasoning_details repeated as plain text',
      [{ reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] }, { content: 'Yes' }],
    ],
    ['the member reasoning_text', [{ reasoning_text: 'Hm' }, { content: 'Yes' }]],
    ['tags at the beginning of the text', [{ content: '\n<think>\nHm\n' }, { content: '</think>\n\nYes' }]],
  ])('%s', async (_, deltas) => {
    const { message } = await decode(WIRE, frames(...deltas.map((delta) => chunk(delta)), chunk({}, 'stop'), '[DONE]'))
    expect(message).toEqual({ text: 'Yes', reasoning: 'Hm' })
  })

  test.each([
    ['<think>a < b</think>c</think>', { text: 'c</think>', reasoning: 'a < b' }],
    ['<think></think>Yes', { text: 'Yes', reasoning: '' }],
    ['<think>never closed ', { text: '', reasoning: 'never closed' }],
    ['Write <think>x</think>.', { text: 'Write <think>x</think>.', reasoning: '' }],
    ['<thead></thead>', { text: '<thead></thead>', reasoning: '' }],
    ['<th', { text: '<th', reasoning: '' }],
  ])('%s, whole and character by character', async (text, expected) => {
    const end = [chunk({}, 'stop'), '[DONE]']
    const whole = await decode(WIRE, frames(chunk({ content: text }), ...end))
    const single = await decode(WIRE, frames(...[...text].map((content) => chunk({ content })), ...end))
    expect([whole.message, single.message]).toEqual([expected, expected])
  })
})

describe('calls are assembled from their pieces', () => {
  test.each([
    [
      'an index that is a string of digits',
      [
        piece({ index: '0', id: 'c1', function: { name: 'ls', arguments: '{"path"' } }),
        piece({ index: '0', function: { arguments: ':"."}' } }),
      ],
    ],
    [
      'an id that is the string “null”',
      [
        piece({ index: 0, id: 'c1', function: { name: 'ls', arguments: '{"path"' } }),
        piece({ index: 0, id: 'null', function: { name: 'ls', arguments: ':"."}' } }),
      ],
    ],
    [
      'extra content without an index, after a call',
      [piece({ index: 0, id: 'c1', function: { name: 'ls', arguments: '{"path":"."}' } }), piece({ extra_content: { a: 1 } })],
    ],
  ])('%s', async (_, pieces) => {
    expect(await decode(WIRE, frames(...pieces, chunk({}, 'tool_calls'), '[DONE]'))).toMatchObject({ toolCalls: [LS], error: null })
  })

  test('a single call in the format of the oldest servers', async () => {
    const body = frames(
      chunk({ function_call: { name: 'ls', arguments: '' } }),
      chunk({ function_call: { arguments: '{"path":"."}' } }),
      chunk({}, 'function_call'),
    )
    expect(await decode(WIRE, body)).toMatchObject({ toolCalls: [{ ...LS, id: 'x_0' }], stopReason: 'tool_calls' })
  })
})

test.each([
  ['tool_use', 'tool_calls', true],
  ['end', 'tool_calls', true],
  ['Tool-Calls', 'tool_calls', true],
  ['max_output_tokens', 'length', true],
  ['model_context_window_exceeded', 'length', true],
  ['sensitive', 'content_filter', false],
  ['SAFETY', 'content_filter', false],
  ['network_error', 'error', false],
])('finish reason “%s” means %s', async (reason, stopReason, executable) => {
  const body = frames(piece({ index: 0, id: 'c1', function: { name: 'ls', arguments: '{"path":"."}' } }), chunk({}, reason), '[DONE]')
  expect(await decode(WIRE, body)).toMatchObject({ stopReason, toolCalls: [{ ...LS, executable }] })
})

test('a choice with a null index counts as the first', async () => {
  const body = frames({ choices: [{ index: null, delta: { content: 'Hi' }, finish_reason: 'stop' }] })
  expect(await decode(WIRE, body)).toMatchObject({ message: { text: 'Hi' }, error: null })
})

test('frames separated by only one line break are read one by one, wherever they are split', async () => {
  const lines = [chunk({ content: 'Hi' }), chunk({}, 'stop')].map((event) => `data: ${JSON.stringify(event)}\n`)
  const bytes = Buffer.from(`${lines.join('')}data: [DONE]\n`)
  for (const size of [1, 7, bytes.byteLength])
    expect(await decode(WIRE, torn(bytes, size))).toMatchObject({ message: { text: 'Hi' }, stopReason: 'stop', error: null })
})

/** Returns the second message of a request whose history contains this answer. That message is the answer. */
async function answerIn(model: string, parts: readonly object[], by: object = {}) {
  const history = historySchema.parse([
    { kind: 'user', content: 'Go' },
    { kind: 'assistant', content: parts, ...by },
    { kind: 'user', content: 'On' },
  ])
  const { body } = await buildRequest({ provider: WIRE, history, tools: [], options: { model } })
  return (body as { readonly messages: readonly unknown[] }).messages[1]
}

describe('fields that a service requires with an earlier answer are sent back', () => {
  const call = { kind: 'tool_call', toolCallId: 'c1', toolName: 'ls', argsText: '{}' }
  const sent = { id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }
  const unsigned = { google: { thought_signature: 'skip_thought_signature_validator' } }
  const other = { provider: 'anthropic', model: 'claude-opus-5-5' }

  test('Gemini’s signature of a call, in its original field', async () => {
    const extra = { google: { thought_signature: 'S' } }
    const body = frames(piece({ index: 0, id: 'c1', function: { name: 'ls', arguments: '{}' }, extra_content: extra }), chunk({}, 'stop'))
    expect(await decode(WIRE, body)).toMatchObject({ toolCalls: [{ id: 'c1' }], error: null })
    const own = await answerIn('gemini-3.8-flash', [{ ...call, signature: JSON.stringify(extra) }])
    expect(own).toMatchObject({ tool_calls: [{ ...sent, extra_content: extra }] })
  })

  test('the placeholder that Gemini accepts, if another model made the call', async () => {
    expect(await answerIn('gemini-3.8-flash', [call, { ...call, toolCallId: 'c2' }], other)).toMatchObject({
      tool_calls: [
        { ...sent, extra_content: unsigned },
        { ...sent, id: 'c2' },
      ],
    })
    expect(await answerIn('qwen3', [call], other)).toEqual({ role: 'assistant', content: null, tool_calls: [sent] })
  })

  test('unencrypted reasoning, with or without calls', async () => {
    const thought = { kind: 'thinking', text: 'Hm', signature: 'reasoning_content' }
    expect(await answerIn('m', [thought, { kind: 'text', text: 'Yes' }, { ...thought, text: '!' }])).toEqual({
      role: 'assistant',
      content: 'Yes',
      reasoning_content: 'Hm!',
    })
  })

  test('a space as reasoning, if the model requires reasoning and the answer has none', async () => {
    for (const model of ['deepseek-v4-pro', 'deepseek-chat', 'moonshotai/kimi-k2.6', 'kimi-k2-thinking'])
      expect(await answerIn(model, [call], other)).toMatchObject({ reasoning_content: ' ', tool_calls: [sent] })
    for (const model of ['deepseek-r1-distill-llama-70b', 'moonshotai/kimi-k2-instruct'])
      expect(await answerIn(model, [call], other)).toEqual({ role: 'assistant', content: null, tool_calls: [sent] })
  })

  test.each(['mistral-large-latest', 'mistralai/devstral-2', 'ministral-8b', 'magistral-medium', 'codestral-latest'])(
    'ids of nine letters and digits for %s, the same for call and result',
    async (model) => {
      const history = historySchema.parse([
        { kind: 'user', content: 'Go' },
        {
          kind: 'assistant',
          content: [
            { ...call, toolCallId: 'toolu_01' },
            { ...call, toolCallId: 'abcDEF123' },
          ],
        },
        { kind: 'tool_results', results: ['toolu_01', 'abcDEF123'].map((toolCallId) => ({ toolCallId, output: 'ok' })) },
      ])
      const { body } = await buildRequest({ provider: WIRE, history, tools: [], options: { model } })
      const { messages } = body as { readonly messages: readonly { tool_calls?: readonly { id: string }[]; tool_call_id?: string }[] }
      const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))
      expect(messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]))).toEqual(ids)
      expect(ids).toEqual([expect.stringMatching(/^[a-zA-Z0-9]{9}$/), 'abcDEF123'])
    },
  )
})

import { describe, expect, test } from 'vitest'
import { type AskedRequest, buildRequest } from './build-request.ts'
import { historySchema } from './given-history.ts'
import type { WireName } from './provider-over-transport.ts'

const TOOL = { name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: { file_path: { type: 'string' } } } }
const HISTORY = historySchema.parse([
  { kind: 'user', content: 'Go' },
  {
    kind: 'assistant',
    content: [
      { kind: 'text', text: 'I look.' },
      { kind: 'tool_call', toolCallId: 'c1', toolName: 'read_file', args: { file_path: 'a' } },
      { kind: 'tool_call', toolCallId: 'c2', toolName: 'read_file', argsText: '{"file_path": "b"}' },
    ],
  },
  {
    kind: 'tool_results',
    results: [
      {
        toolCallId: 'c1',
        output: [
          { kind: 'text', text: 'seen' },
          { kind: 'image', mediaType: 'image/png', data: 'AAAA' },
        ],
      },
      { toolCallId: 'c2', output: 'no such file', isError: true },
    ],
  },
  { kind: 'steering', content: 'Hurry' },
])

function built(provider: WireName, options: Partial<AskedRequest['options']> & { readonly model: string }, history = HISTORY) {
  return buildRequest({ provider, history, tools: [TOOL], options: { system: 'Be good.', ...options } })
}

describe('the request that would be sent, for each vendor’s API (L-04)', () => {
  test('Anthropic', async () => {
    const { url, headers, body } = await built('anthropic', { model: 'claude-opus-5-5' })
    expect([url, headers['x-api-key'], headers['anthropic-version']]).toEqual([
      'https://api.anthropic.com/v1/messages',
      '[key]',
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    ])
    expect(body).toMatchObject({
      model: 'claude-opus-5-5',
      stream: true,
      system: [{ text: 'Be good.', cache_control: { type: 'ephemeral' } }],
    })
  })

  test('OpenAI Responses', async () => {
    const { url, headers, body } = await built('openai-responses', { model: 'gpt-5.5', effort: 'high' })
    expect([url, headers['authorization']]).toEqual(['https://api.openai.com/v1/responses', 'Bearer [key]'])
    expect(body).toEqual({
      model: 'gpt-5.5',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'high', summary: 'auto' },
      prompt_cache_key: expect.stringMatching(/^[\w-]{32}$/) as string,
      parallel_tool_calls: true,
      tools: [{ type: 'function', ...TOOL, strict: false }],
      instructions: 'Be good.',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', call_id: 'c1', name: 'read_file', arguments: '{"file_path":"a"}' },
        { type: 'function_call', call_id: 'c2', name: 'read_file', arguments: '{"file_path": "b"}' },
        {
          type: 'function_call_output',
          call_id: 'c1',
          output: [
            { type: 'input_text', text: 'seen' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
          ],
        },
        { type: 'function_call_output', call_id: 'c2', output: 'no such file' },
        { role: 'user', content: [{ type: 'input_text', text: 'Hurry' }] },
      ],
    })
  })

  test('Chat Completions: pictures follow all results, because results are text only, and usage is requested (W-23)', async () => {
    const { url, headers, body } = await built('openai-chat', { model: 'qwen3-coder', baseUrl: 'http://127.0.0.1:11434/v1' })
    expect([url, headers['authorization'], headers['openai-organization']]).toEqual([
      'http://127.0.0.1:11434/v1/chat/completions',
      'Bearer [key]',
      undefined,
    ])
    expect(body).toEqual({
      model: 'qwen3-coder',
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: TOOL }],
      messages: [
        { role: 'system', content: 'Be good.' },
        { role: 'user', content: 'Go' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"file_path":"a"}' } },
            { id: 'c2', type: 'function', function: { name: 'read_file', arguments: '{"file_path": "b"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'seen\n[image of type image/png: see the next message]' },
        { role: 'tool', tool_call_id: 'c2', content: 'no such file' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'From read_file:' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        { role: 'user', content: 'Hurry' },
      ],
    })
  })

  test('Gemini: the key is in a header, results are objects with function names, arguments are not streamed (W-30)', async () => {
    const { url, headers, body } = await built('gemini', { model: 'gemini-3.8-flash', effort: 'low' })
    expect([url, headers['x-goog-api-key']]).toEqual([
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
      '[key]',
    ])
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'Be good.' }] },
      tools: [{ functionDeclarations: [{ name: TOOL.name, description: TOOL.description, parametersJsonSchema: TOOL.parameters }] }],
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } },
      contents: [
        { role: 'user', parts: [{ text: 'Go' }] },
        {
          role: 'model',
          parts: [
            { text: 'I look.' },
            { functionCall: { id: 'c1', name: 'read_file', args: { file_path: 'a' } } },
            { functionCall: { id: 'c2', name: 'read_file', args: { file_path: 'b' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                id: 'c1',
                name: 'read_file',
                response: { output: 'seen' },
                parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
              },
            },
            { functionResponse: { id: 'c2', name: 'read_file', response: { error: 'no such file' } } },
            { text: 'Hurry' },
          ],
        },
      ],
    })
  })

  test('an older Gemini gets images after all results', async () => {
    const { body } = await built('gemini', { model: 'gemini-2.5-pro', effort: 'medium' })
    expect(body).toMatchObject({
      generationConfig: { thinkingConfig: { thinkingBudget: 8_192 } },
      contents: [
        {},
        {},
        { parts: [{ functionResponse: {} }, { functionResponse: {} }, { inlineData: { data: 'AAAA' } }, { text: 'Hurry' }] },
      ],
    })
  })

  test.each(['gpt-4.1', 'gpt-4o', 'gpt-5-chat-latest'])('%s does not reason, so no reasoning is requested', async (model) => {
    const { body } = await built('openai-responses', { model, effort: 'high' })
    expect([Object.hasOwn(body as object, 'reasoning'), Object.hasOwn(body as object, 'include')]).toEqual([false, false])
  })
})

test('a history in another agent’s format is converted to ours', () => {
  const same = historySchema.parse([
    { kind: 'user', content: 'Go' },
    {
      kind: 'assistant',
      content: [
        { kind: 'text', text: 'I look.' },
        { kind: 'tool_call', toolCallId: 'c1', toolName: 'ls', argsText: '{"path": "."}' },
      ],
    },
    { kind: 'tool_results', results: [{ toolCallId: 'c1', output: 'a', isError: false }] },
  ])
  const given = [
    { role: 'user', content: [{ type: 'text', text: 'Go' }] },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{"path": "."}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'a' },
  ]
  expect(historySchema.parse(given)).toEqual(same)
  const upper = [{ kind: 'ASSISTANT', content: [{ kind: 'TOOL_CALL', toolCallId: 'c1', toolName: 'ls', args: { path: '.' } }] }]
  expect(historySchema.parse(upper)).toEqual([
    { kind: 'assistant', content: [{ kind: 'tool_call', toolCallId: 'c1', toolName: 'ls', args: { path: '.' } }] },
  ])
})

describe('reasoning is sent back unchanged', () => {
  const after = (part: object) =>
    historySchema.parse([
      { kind: 'user', content: 'Go' },
      { kind: 'assistant', content: [part, { kind: 'tool_call', toolCallId: 'c1', toolName: 'read_file', args: {}, signature: 'SIG' }] },
      { kind: 'tool_results', results: [{ toolCallId: 'c1', output: 'ok' }] },
    ])

  test('OpenAI’s encrypted items, unless an item has no encrypted content or nothing follows it', async () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'gAAA=' }
    const part = { kind: 'thinking', text: 'Hm', signature: null, item }
    const inputs = async (history: typeof HISTORY) =>
      (await built('openai-responses', { model: 'gpt-5.5' }, history)).body as { readonly input: readonly object[] }
    expect((await inputs(after(part))).input[1]).toEqual(item)
    const { encrypted_content: _, ...open } = item
    expect((await inputs(after({ ...part, item: open }))).input[1]).toMatchObject({ type: 'function_call' })
    const alone = historySchema.parse([
      { kind: 'user', content: 'Go' },
      { kind: 'assistant', content: [part] },
      { kind: 'user', content: 'On' },
    ])
    expect((await inputs(alone)).input).toHaveLength(2)
  })

  test('the phase of an OpenAI message', async () => {
    const { body } = await built(
      'openai-responses',
      { model: 'gpt-5.5' },
      after({ kind: 'text', text: 'I look.', signature: 'commentary' }),
    )
    expect(body).toMatchObject({ input: [{}, { role: 'assistant', phase: 'commentary' }, {}, {}] })
  })

  test('Gemini’s signatures, each on its own part, even if the part is empty (W-32)', async () => {
    const { body } = await built('gemini', { model: 'gemini-3.8-flash' }, after({ kind: 'text', text: '', signature: 'T1' }))
    expect(body).toMatchObject({
      contents: [
        {},
        {
          parts: [
            { text: '', thoughtSignature: 'T1' },
            { functionCall: { name: 'read_file' }, thoughtSignature: 'SIG' },
          ],
        },
        {},
      ],
    })
  })
})

test.each([
  ['anthropic', 'claude-opus-5-5', 'messages', ['user', 'assistant', 'user']],
  ['gemini', 'gemini-3.8-flash', 'contents', ['user', 'model', 'user']],
  ['openai-chat', 'm', 'messages', ['system', 'assistant', 'user']],
] as const)(
  'if a service requires it, a user message is added before a conversation that begins with an answer: %s',
  async (wire, model, list, roles) => {
    const history = historySchema.parse([
      { kind: 'assistant', content: 'Hello' },
      { kind: 'user', content: 'Go' },
    ])
    const body = (await built(wire, { model }, history)).body as Readonly<Record<string, readonly { readonly role: string }[]>>
    expect(body[list]?.map(({ role }) => role)).toEqual(roles)
  },
)

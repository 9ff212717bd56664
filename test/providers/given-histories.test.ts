import { describe, expect, test } from 'vitest'
import { buildRequest } from '../driver/offline/build-request.ts'
import { historySchema } from '../driver/offline/given-history.ts'
import type { WireName } from '../driver/offline/provider-over-transport.ts'

const MODELS: Readonly<Record<WireName, string>> = {
  anthropic: 'claude-sonnet-5-5',
  'openai-responses': 'gpt-5.5',
  'openai-chat': 'qwen3-coder',
  gemini: 'gemini-3.8-flash',
}

const GO = { role: 'user', content: 'Go' }
const CALLS = [
  { id: 'a', name: 'ls', arguments: '{"path":"."}' },
  { id: 'b', name: 'grep', arguments: '{"pattern":"x"}' },
]
const ASKED = { role: 'assistant', content: 'I look.', tool_calls: CALLS }
const HURRY = { kind: 'steering', content: 'Hurry' }

/** Answers in our own message format. */
const ANSWERED = [
  { kind: 'user', content: 'Go' },
  {
    kind: 'assistant',
    content: [
      { kind: 'text', text: 'I look.' },
      { kind: 'tool_call', toolCallId: 'a', toolName: 'ls', argsText: '{"path":"."}' },
      { kind: 'tool_call', toolCallId: 'b', toolName: 'grep', argsText: '{"pattern":"x"}' },
    ],
  },
  {
    kind: 'tool_results',
    results: [
      { toolCallId: 'a', output: 'files' },
      { toolCallId: 'b', output: 'none', isError: true },
    ],
  },
]

const A = { role: 'tool', tool_call_id: 'a', content: 'files' }
const B = { role: 'tool', tool_call_id: 'b', content: 'none', is_error: true }
const results = (...all: readonly object[]) => ({ kind: 'TOOL_RESULTS', results: all })
const block = ({ tool_call_id, content, is_error }: typeof A & { readonly is_error?: boolean }) => ({
  type: 'tool_result',
  tool_use_id: tool_call_id,
  content,
  ...(is_error && { is_error }),
})

interface Block {
  readonly type?: string
  readonly id?: string
  readonly call_id?: string
  readonly tool_use_id?: string
  readonly tool_call_id?: string
  readonly content?: unknown
  readonly output?: string
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly parts?: readonly {
    readonly functionCall?: { readonly id: string }
    readonly functionResponse?: { readonly id: string; readonly response: { readonly output: string } }
  }[]
}

const turnsIn: Readonly<Record<WireName, (body: unknown) => readonly Block[]>> = {
  anthropic: (body) => (body as { readonly messages: readonly Block[] }).messages,
  'openai-responses': (body) => (body as { readonly input: readonly Block[] }).input,
  'openai-chat': (body) => (body as { readonly messages: readonly Block[] }).messages,
  gemini: (body) => (body as { readonly contents: readonly Block[] }).contents,
}

/** Returns each result together with the id of the call at the same position. */
const paired = (calls: readonly unknown[], results: readonly { readonly id: unknown; readonly output: unknown }[]) =>
  results.map(({ id, output }, at) => ({ called: calls[at], answered: id, output }))

const resultsIn: Readonly<Record<WireName, (body: unknown) => ReturnType<typeof paired>>> = {
  anthropic(body) {
    const blocks = turnsIn.anthropic(body).flatMap(({ content }) => content as readonly Block[])
    const given = blocks.filter(({ type }) => type === 'tool_result')
    const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
    return paired(
      calls,
      given.map(({ tool_use_id: id, content }) => ({ id, output: content })),
    )
  },
  'openai-responses'(body) {
    const items = turnsIn['openai-responses'](body)
    const calls = items.filter(({ type }) => type === 'function_call').map(({ call_id: id }) => id)
    const given = items.filter(({ type }) => type === 'function_call_output')
    return paired(
      calls,
      given.map(({ call_id: id, output }) => ({ id, output })),
    )
  },
  'openai-chat'(body) {
    const messages = turnsIn['openai-chat'](body)
    const calls = messages.flatMap(({ tool_calls: made = [] }) => made.map(({ id }) => id))
    const given = messages.filter(({ tool_call_id: id }) => id !== undefined)
    return paired(
      calls,
      given.map(({ tool_call_id: id, content }) => ({ id, output: content })),
    )
  },
  gemini(body) {
    const parts = turnsIn.gemini(body).flatMap(({ parts: all = [] }) => all)
    const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall.id] : []))
    const given = parts.flatMap(({ functionResponse: made }) => (made ? [{ id: made.id, output: made.response.output }] : []))
    return paired(calls, given)
  },
}

describe.each(Object.keys(MODELS) as WireName[])('%s: a conversation written by another program', (provider) => {
  const body = async (history: readonly unknown[]): Promise<unknown> =>
    (await buildRequest({ provider, history: historySchema.parse(history), tools: [], options: { model: MODELS[provider] } })).body

  test.each<[string, readonly unknown[]]>([
    ['one message per result', [GO, ASKED, A, B]],
    ['one message per result, in another order', [GO, ASKED, B, A]],
    ['a turn for each result', [GO, ASKED, results(A), results(B)]],
    ['blocks in a user message', [GO, ASKED, { role: 'user', content: [block(A), block(B)] }]],
    ['blocks in two user messages', [GO, ASKED, { role: 'user', content: [block(A)] }, { role: 'user', content: [block(B)] }]],
    [
      'blocks whose content is a list of parts',
      [GO, ASKED, { role: 'user', content: [{ ...block(A), content: [{ type: 'text', text: 'files' }] }, block(B)] }],
    ],
  ])('%s: all results are kept (S-07, L-19, L-20)', async (_, history) => {
    const said = (text: unknown): string => JSON.stringify(text).replaceAll(/\[\{"type":"(input_)?text","text":"files"\}\]/g, '"files"')
    expect(said(await body(history))).toBe(said(await body(ANSWERED)))
  })

  test.each<[string, readonly unknown[]]>([
    ['between the results', [GO, ASKED, A, HURRY, B]],
    ['before the results', [GO, ASKED, HURRY, A, B]],
    ['in the same message as the results', [GO, ASKED, { role: 'user', content: [block(A), block(B), { type: 'text', text: 'Hurry' }] }]],
  ])('text %s is moved to after the results', async (_, history) => {
    expect(await body(history)).toEqual(await body([...ANSWERED, HURRY]))
  })

  test('results are moved to the answers that requested them', async () => {
    const [first, second] = CALLS.map((call) => ({ role: 'assistant', content: null, tool_calls: [call] }))
    expect(await body([GO, first, second, A, B])).toEqual(await body([GO, first, A, second, B]))
    expect(JSON.stringify(await body([GO, first, second, A, B]))).not.toContain('No result')
  })

  test('two calls with the same id each keep their own result and name', async () => {
    const twins = CALLS.map((call) => ({ ...call, id: 'same' }))
    const written = JSON.stringify(
      await body([GO, { ...ASKED, tool_calls: twins }, { ...A, tool_call_id: 'same' }, { ...B, tool_call_id: 'same' }]),
    )
    expect([written.split('files').length, written.split('"none"').length, written.includes('No result')]).toEqual([2, 2, false])
    if (provider === 'gemini')
      expect([...written.matchAll(/"functionResponse":\{"id":"same(?:_2)?","name":"(\w+)"/g)].map(([, name]) => name)).toEqual([
        'ls',
        'grep',
      ])
  })

  test('calls with the same id get distinct ids, and so do their results', async () => {
    const twins = CALLS.map((call) => ({ ...call, id: 'same' }))
    const answers = (word: string) => [
      { role: 'tool', tool_call_id: 'same', content: `${word} one` },
      { role: 'tool', tool_call_id: 'same', content: `${word} two` },
    ]
    const again = [{ ...CALLS[0], id: 'same_2' }]
    const history = [GO, { ...ASKED, tool_calls: twins }, ...answers('first'), { ...ASKED, tool_calls: twins }, ...answers('second')]
    const last = { role: 'tool', tool_call_id: 'same_2', content: 'third' }
    const written = await body([...history, { ...ASKED, tool_calls: again }, last])
    expect(resultsIn[provider](written)).toEqual([
      { called: 'same', answered: 'same', output: 'first one' },
      { called: 'same_2', answered: 'same_2', output: 'first two' },
      { called: 'same_3', answered: 'same_3', output: 'second one' },
      { called: 'same_4', answered: 'same_4', output: 'second two' },
      { called: 'same_2_2', answered: 'same_2_2', output: 'third' },
    ])
    // Messages that were sent before are sent again unchanged after the conversation has grown.
    expect(JSON.stringify(written).replaceAll(/,"cache_control":\{[^}]*\}/g, '')).toContain(
      JSON.stringify(turnsIn[provider](await body(history)))
        .replaceAll(/,"cache_control":\{[^}]*\}/g, '')
        .slice(0, -1),
    )
  })
})

test('messages with the role system or developer go where each service accepts them (L-08, P2-12)', async () => {
  const sent = async (provider: WireName): Promise<readonly unknown[]> => {
    const history = [
      GO,
      { role: 'developer', content: 'Be brief.' },
      { kind: 'system', content: 'It is late.' },
      { role: 'user', content: 'So?' },
    ]
    const asked = { provider, history: historySchema.parse(history), tools: [], options: { model: MODELS[provider], system: 'Be good.' } }
    const { body } = await buildRequest(asked)
    return turnsIn[provider](body)
  }
  const developer = '<system>\nBe brief.\n</system>'
  const system = '<system>\nIt is late.\n</system>'
  expect(await sent('anthropic')).toMatchObject([
    { role: 'user', content: [{ text: 'Go' }, { text: developer }, { text: system }, { text: 'So?' }] },
  ])
  expect(await sent('openai-responses')).toMatchObject([
    { role: 'user', content: [{ text: 'Go' }] },
    { role: 'developer', content: [{ text: 'Be brief.' }] },
    { role: 'developer', content: [{ text: 'It is late.' }] },
    { role: 'user', content: [{ text: 'So?' }] },
  ])
  expect(await sent('openai-chat')).toEqual([
    { role: 'system', content: 'Be good.' },
    { role: 'user', content: 'Go' },
    { role: 'user', content: developer },
    { role: 'user', content: system },
    { role: 'user', content: 'So?' },
  ])
  expect(await sent('gemini')).toEqual([{ role: 'user', parts: [{ text: 'Go' }, { text: developer }, { text: system }, { text: 'So?' }] }])
})

test.each<[string, unknown]>([
  [
    'a user part of an unknown type',
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'video', url: 'x' },
      ],
    },
  ],
  ['an answer that is neither text nor a list', { role: 'assistant', content: { text: 'x' } }],
  ['calls that are not a list', { role: 'assistant', content: 'x', tool_calls: { id: 'a' } }],
  ['calls that are a string', { role: 'assistant', content: 'x', tool_calls: 'a' }],
  ['a call that is not an object', { role: 'assistant', content: 'x', tool_calls: ['a'] }],
  ['an answer part of an unknown type', { role: 'assistant', content: [{ type: 'video', url: 'x' }] }],
  ['a result without a call id', { role: 'tool', content: 'files' }],
  ['a result without content', { role: 'tool', tool_call_id: 'a' }],
  ['an unknown role', { role: 'oracle', content: 'x' }],
  ['a message in another vendor’s format', { role: 'model', parts: [{ text: 'x' }] }],
])('unsupported content is refused with an error instead of being left out: %s', (_, turn) => {
  expect(historySchema.safeParse([GO, turn]).success).toBe(false)
})

describe('Chat: only known reasoning fields are sent back, under their own names', () => {
  const reasoned = async (part: object): Promise<readonly string[]> => {
    const turn = { role: 'assistant', content: [part], tool_calls: CALLS }
    const history = historySchema.parse([GO, turn, A, B])
    const { body } = await buildRequest({ provider: 'openai-chat', history, tools: [], options: { model: MODELS['openai-chat'] } })
    const { messages } = body as { readonly messages: readonly object[] }
    return Object.keys(messages[1] ?? {}).filter((name) => !['role', 'content', 'tool_calls'].includes(name))
  }

  test.each(['SIG', 'role', 'content', '__proto__', ''])(
    'reasoning is left out if its signature “%s” is not a known field name',
    async (signature) => {
      expect(await reasoned({ kind: 'thinking', text: 'secret', signature })).toEqual([])
    },
  )

  test.each([['redacted'], [{ type: 'redacted_thinking', data: 'x' }], [['x']], [null], [{ role: 'system' }]])(
    'opaque reasoning %j is left out',
    async (data) => {
      expect(await reasoned({ kind: 'opaque', data })).toEqual([])
    },
  )

  test.each(['reasoning_content', 'reasoning'])('%s is sent back', async (signature) => {
    expect(await reasoned({ kind: 'thinking', text: 'Hm.', signature })).toEqual([signature])
  })

  test('reasoning_details are sent back unchanged', async () => {
    expect(await reasoned({ kind: 'opaque', data: { reasoning_details: [{ type: 'x' }] } })).toEqual(['reasoning_details'])
  })
})

describe.each(Object.keys(MODELS) as WireName[])('%s: tools', (provider) => {
  const built = (...tools: readonly { readonly name: string; readonly type?: string }[]): Promise<unknown> => {
    const given = tools.map(({ name, type = 'object' }) => ({ name, description: 'd', parameters: { type, properties: {} } }))
    return buildRequest({ provider, history: historySchema.parse([GO]), tools: given, options: { model: MODELS[provider] } })
  }

  test.each(['a b', 'mcp.server', 'é', '', '1st', 'n'.repeat(65)])('a tool named “%s” is refused with an error (L-18)', async (name) => {
    await expect(built({ name })).rejects.toThrow(`The tool name “${name}” is not valid`)
  })

  test('duplicate names and argument schemas that are not objects are refused with an error (L-18)', async () => {
    await expect(built({ name: 'a' }, { name: 'a' })).rejects.toThrow('Two tools are named “a”.')
    await expect(built({ name: 'a', type: 'string' })).rejects.toThrow('The arguments of the tool “a” are not an object.')
  })

  test('names of 64 plain characters are accepted', async () => {
    const name = `m-${'n'.repeat(62)}`
    expect(JSON.stringify(await built({ name }, { name: '_x' }))).toContain(`"name":"${name}"`)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelRequest } from '../../main/agent/ports/provider.ts'
import { anthropicBody } from '../../main/providers/anthropic/anthropic-body.ts'
import { createBodyWriter as createBytesWriter } from '../../main/providers/body/body-writer.ts'
import type { Turn } from '../../shared/session/conversation-turns.ts'
import { request } from '../support/collected.ts'
import { asks, assistant, results, steering, thought, user, words } from './support/turns.ts'

const MODEL = 'claude-sonnet-5-5'
const MARK = { type: 'ephemeral' }

function createBodyWriter(provider: 'anthropic'): (asked: ModelRequest) => string {
  const write = createBytesWriter(anthropicBody(provider))
  return (asked) => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(write(asked)))
}

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: readonly { readonly [name: string]: unknown }[] }[]
  readonly [key: string]: unknown
}

function bodyOf(parts: Partial<ModelRequest>, write = createBodyWriter('anthropic')): Body {
  return JSON.parse(write(request(MODEL, parts))) as Body
}

/** Returns the messages without the cache marks, which move from request to request. */
function messagesOf(turns: readonly Turn[], parts: Partial<ModelRequest> = {}) {
  return bodyOf({ turns, ...parts }).messages.map(({ role, content }) => ({
    role,
    content: content.map((block) => Object.fromEntries(Object.entries(block).filter(([name]) => name !== 'cache_control'))),
  }))
}

const text = (content: string) => ({ type: 'text', text: content })

describe('messages', () => {
  test('results of one round have the user role, are in call order, and mark failures (L-19, L-20)', () => {
    const turns = [
      user('Go'),
      assistant([words('I look.'), asks('c1', 'read_file', '{"a": 1.0, "a":2}'), asks('c2', 'grep', '')]),
      results(['c1', 'text'], ['c2', 'no such file', true]),
    ]
    expect(createBodyWriter('anthropic')(request(MODEL, { turns }))).toContain('"input":{"a": 1.0, "a":2}')
    expect(messagesOf(turns).slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          text('I look.'),
          { type: 'tool_use', id: 'c1', name: 'read_file', input: { a: 2 } },
          { type: 'tool_use', id: 'c2', name: 'grep', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'text' },
          { type: 'tool_result', tool_use_id: 'c2', content: 'no such file', is_error: true },
        ],
      },
    ])
  })

  test('roles alternate: results, steering and a follow-up become one message (L-20)', () => {
    const turns = [user('One'), user('Two'), assistant([asks('c1', 't', '{}')]), results(['c1', 'ok']), steering('Hurry'), user('Three')]
    expect(messagesOf(turns).map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 2],
      ['assistant', 1],
      ['user', 3],
    ])
  })

  test('empty or blank text is never sent, and an empty answer is left out', () => {
    expect(messagesOf([user('A'), assistant([words(' \n')]), user('B'), assistant([words(''), words('C')])])).toEqual([
      { role: 'user', content: [text('A'), text('B')] },
      { role: 'assistant', content: [text('C')] },
    ])
  })

  test('trailing whitespace is removed from an answer only if the answer is the last message', () => {
    const turns = [user('A'), assistant([words('I look. \n')])]
    expect(messagesOf(turns)[1]?.content).toEqual([text('I look.')])
    expect(messagesOf([...turns, user('B')])[1]?.content).toEqual([text('I look. \n')])
  })

  test('reasoning is sent back unchanged to the model that made it, and to no other model (L-09)', () => {
    const opaque = { kind: 'opaque', data: { type: 'redacted_thinking', data: 'x/+=' } } as const
    const turns = [user('A'), assistant([thought('  as it was ', 'sïg=='), opaque, words('B')]), user('C')]
    expect(messagesOf(turns)[1]?.content).toEqual([
      { type: 'thinking', thinking: '  as it was ', signature: 'sïg==' },
      { type: 'redacted_thinking', data: 'x/+=' },
      text('B'),
    ])
    expect(messagesOf(turns, { model: 'claude-opus-5-5' })[1]?.content).toEqual([text('B')])
    const other = turns.map((turn) => (turn.kind === 'assistant' ? { ...turn, provider: 'openai' as const } : turn))
    expect(messagesOf(other)[1]?.content).toEqual([text('B')])
  })

  test('reasoning without a signature is left out, because it would be refused', () => {
    expect(messagesOf([user('A'), assistant([thought('hm', null), words('B')]), user('C')])[1]?.content).toEqual([text('B')])
  })

  test.each(['deepseek-v4-pro', 'kimi-k2.6'])(
    '%s gets an unsigned reasoning part with every answer, and the part is a space if there was no reasoning',
    (model) => {
      const first = (content: Parameters<typeof assistant>[0], by: string): unknown =>
        messagesOf([user('A'), assistant(content, { model: by }), user('C')], { model })[1]?.content[0]
      expect(first([thought('hm', null), words('B')], model)).toEqual({ type: 'thinking', thinking: 'hm', signature: '' })
      expect(first([asks('c1', 't', '{}')], 'another')).toEqual({ type: 'thinking', thinking: ' ', signature: '' })
    },
  )

  test('images and documents are sent as images and documents, but never in the result of a failed call (L-09)', () => {
    const parts = [
      { kind: 'text', text: 'see' },
      { kind: 'image', mediaType: 'image/png', data: 'AAAA' },
      { kind: 'document', mediaType: 'application/pdf', name: 'a.pdf', data: 'BBBB' },
    ] as const
    const turns = (failed: boolean) => [user('A'), assistant([asks('c1', 't', '{}')]), results(['c1', parts, failed])]
    expect(messagesOf(turns(false))[2]?.content[0]).toEqual({
      type: 'tool_result',
      tool_use_id: 'c1',
      content: [
        text('see'),
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' }, title: 'a.pdf' },
      ],
    })
    const failed = messagesOf(turns(true))[2]?.content[0]?.['content']
    expect(failed).toEqual([text('see'), text('[image of type image/png left out]'), text('[document of type application/pdf left out]')])
  })

  test.each(['{"a":', '[1]', 'null', '"x"', '{"a":1}}'])('arguments that are not an object are sent as an empty object: %s', (args) => {
    expect(messagesOf([user('A'), assistant([asks('c1', 't', args)]), results(['c1', 'bad', true])])[1]?.content[0]).toMatchObject({
      input: {},
    })
  })
})

describe('every call has exactly one result', () => {
  const open = assistant([asks('c1', 't', '{}'), asks('c2', 't', '{}')])
  const ids = (turns: readonly Turn[]) =>
    messagesOf(turns)
      .at(-1)
      ?.content.map((block) => block['tool_use_id'] ?? block['type'])

  test('a missing result is added as a failure', () => {
    expect(ids([user('A'), open])).toEqual(['c1', 'c2'])
    expect(messagesOf([user('A'), open, user('B')]).at(-1)?.content[0]).toMatchObject({
      is_error: true,
      content: 'No result of this call was recorded.',
    })
  })

  test('the messages are valid for any sequence of turns', () => {
    fc.assert(
      fc.property(anyTurns, (turns) => isValid(bodyOf({ turns }).messages)),
      { numRuns: 300 },
    )
  })
})

const anyTurns = turnsArbitrary()

function turnsArbitrary(): fc.Arbitrary<Turn[]> {
  const id = fc.constantFrom('c1', 'c2', 'c3')
  const part = fc.oneof(
    fc.string().map(words),
    fc.tuple(fc.string(), fc.string()).map(([a, b]) => thought(a, b)),
    fc.tuple(id, fc.string({ unit: 'binary' }), fc.oneof(fc.json(), fc.string())).map(([call, name, args]) => asks(call, name, args)),
  )
  const turn = fc.oneof(
    fc.string({ unit: 'binary' }).map(user),
    fc.string().map(steering),
    fc
      .array(part, { maxLength: 4 })
      .map((parts) =>
        assistant(
          parts.filter(
            (p, at) => p.kind !== 'tool_call' || parts.findIndex((q) => q.kind === 'tool_call' && q.toolCallId === p.toolCallId) === at,
          ),
        ),
      ),
    fc.array(fc.tuple(id, fc.string(), fc.boolean()), { maxLength: 4 }).map((given) => results(...given)),
  )
  return fc.array(turn, { maxLength: 16 })
}

/**
 * Checks the service's own rules: roles alternate, nothing is empty, and each call is answered in the next message, which contains no other
 * results.
 */
function isValid(messages: Body['messages']): boolean {
  return messages.every(({ role, content }, index) => {
    const calls = content.flatMap((block) => (block['type'] === 'tool_use' ? [block['id']] : []))
    const next = messages[index + 1]?.content ?? []
    const answered = next.flatMap((block) => (block['type'] === 'tool_result' ? [block['tool_use_id']] : []))
    const before = messages[index - 1]?.content.some((block) => block['type'] === 'tool_use') ?? false
    const hasResults = content.some((block) => block['type'] === 'tool_result')
    const blank = content.some((block) => block['type'] === 'text' && String(block['text']).trim() === '')
    return (
      content.length > 0 &&
      !blank &&
      role !== messages[index + 1]?.role &&
      hasResults === before &&
      JSON.stringify(calls) === JSON.stringify(answered)
    )
  })
}

describe('the prefix is byte-stable', () => {
  const tools = [{ name: 't', description: 'd', parameters: { type: 'object' } }]
  const system = 'Be good.'

  test('cache marks are after the tools, the prompt and the two newest user messages, four in all (L-21)', () => {
    const turns = [user('A'), assistant([words('B')]), user('C'), assistant([asks('c1', 't', '{}')]), results(['c1', 'ok'])]
    const body = bodyOf({ turns, tools, system })
    expect(body).toMatchObject({ tools: [{ cache_control: MARK }], system: [{ cache_control: MARK }] })
    expect(body.messages.map(({ content }) => content.at(-1)?.['cache_control'] ?? null)).toEqual([null, null, MARK, null, MARK])
  })

  test('each turn is serialized once, however many requests contain it', () => {
    let reads = 0
    const counted = {
      kind: 'user',
      get content() {
        return `${++reads}`
      },
    } as Turn
    const write = createBodyWriter('anthropic')
    for (let round = 0; round < 5; round++) write(request(MODEL, { turns: [counted] }))
    expect(reads).toBe(1)
  })
})

describe('length and reasoning', () => {
  const options = (model: string, effort: ModelRequest['effort'], turns: readonly Turn[] = [user('A')]) => {
    const { max_tokens, thinking, output_config } = bodyOf({ model, effort, turns })
    return { max_tokens, thinking, output_config }
  }
  const adaptive = { type: 'adaptive', display: 'summarized' }

  test.each([
    ['claude-haiku-4-5', 'low', 33_024, { type: 'enabled', budget_tokens: 1024 }, undefined],
    ['claude-haiku-4-5-20251001', 'medium', 36_096, { type: 'enabled', budget_tokens: 4096 }, undefined],
    ['claude-haiku-4-5', 'high', 48_384, { type: 'enabled', budget_tokens: 16_384 }, undefined],
    ['claude-haiku-4-5', null, 32_000, undefined, undefined],
    ['claude-sonnet-4-5', 'medium', 36_096, { type: 'enabled', budget_tokens: 4096 }, undefined],
    ['claude-sonnet-4-20250514', 'medium', 36_096, { type: 'enabled', budget_tokens: 4096 }, undefined],
    ['claude-opus-4-1-20250805', 'high', 32_000, { type: 'enabled', budget_tokens: 16_384 }, undefined],
    ['anthropic/claude-opus-4.8', 'medium', 64_000, adaptive, { effort: 'medium' }],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'low', 33_024, { type: 'enabled', budget_tokens: 1024 }, undefined],
    ['claude-opus-4-6@20260205', 'low', 64_000, adaptive, { effort: 'low' }],
    ['claude-3-5-haiku-20241022', 'high', 8_192, undefined, undefined],
    ['claude-3-haiku-20240307', 'high', 4_096, undefined, undefined],
    ['claude-opus-4-8', 'medium', 64_000, adaptive, { effort: 'medium' }],
    ['claude-opus-4-8', null, 32_000, undefined, undefined],
    ['claude-opus-5-5', null, 64_000, adaptive, undefined],
    ['claude-opus-5-5', 'low', 64_000, adaptive, { effort: 'low' }],
    ['claude-opus-7', 'high', 64_000, adaptive, { effort: 'high' }],
    ['some-local-model', 'high', 24_576, { type: 'enabled', budget_tokens: 16_384 }, undefined],
    ['some-local-model', null, 8_192, undefined, undefined],
  ] as const)('%s with effort %s', (model, effort, max_tokens, thinking, output_config) => {
    expect(options(model, effort)).toEqual({ max_tokens, thinking, output_config })
  })

  test('a budget is always below max_tokens (T-09, W-17)', () => {
    for (const model of ['claude-haiku-4-5', 'claude-sonnet-4-5', 'x'])
      for (const effort of ['low', 'medium', 'high'] as const) {
        const { max_tokens, thinking } = options(model, effort)
        expect(Number(max_tokens)).toBeGreaterThan((thinking as { budget_tokens: number }).budget_tokens)
      }
  })

  test('a round started without reasoning continues without a reasoning budget, until the next message', () => {
    const model = 'claude-haiku-4-5'
    const round = [user('A'), assistant([asks('c1', 't', '{}')], { model }), results(['c1', 'ok'])]
    expect(options(model, 'high', round).thinking).toBeUndefined()
    expect(options(model, 'high', [...round, assistant([words('B')], { model }), user('C')]).thinking).toMatchObject({ type: 'enabled' })
    const reasoned = [user('A'), assistant([thought('hm'), asks('c1', 't', '{}')], { model }), results(['c1', 'ok'])]
    expect(options(model, 'high', reasoned).thinking).toMatchObject({ type: 'enabled' })
  })

  test('sampling parameters are never sent', () => {
    expect(Object.keys(bodyOf({ effort: 'high' })).sort()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'output_config',
      'stream',
      'system',
      'thinking',
    ])
  })
})

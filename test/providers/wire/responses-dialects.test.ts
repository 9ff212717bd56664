import { describe, expect, test } from 'vitest'
import { decode, frames } from '../support/decoded.ts'

const WIRE = 'openai-responses'
const call = (id: string, name: string, args = '') => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: args })
const added = (item: object | null, index?: number) => ({ type: 'response.output_item.added', output_index: index, item })
const done = (item: object, index?: number) => ({ type: 'response.output_item.done', output_index: index, item })
const args = (delta: string, id: string) => ({ type: 'response.function_call_arguments.delta', item_id: `fc_${id}`, delta })
const created = { type: 'response.created', response: { id: 'r' } }
const completed = { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } }
const TWO = [
  { id: 'a', name: 'ls', args: { x: 1 }, executable: true },
  { id: 'b', name: 'ls', args: { x: 2 }, executable: true },
]

/** How servers that imitate Responses differ from OpenAI. */
describe('items without an index are kept apart', () => {
  test.each([
    ['calls one after the other', [added(call('a', 'ls')), args('{"x":1}', 'a'), added(call('b', 'ls')), args('{"x":2}', 'b')]],
    [
      'interleaved calls',
      [added(call('a', 'ls')), added(call('b', 'ls')), args('{"x"', 'a'), args('{"x"', 'b'), args(':1}', 'a'), args(':2}', 'b')],
    ],
    ['calls for which only the end is sent', [done(call('a', 'ls', '{"x":1}')), done(call('b', 'ls', '{"x":2}'))]],
    [
      'calls that also have no ids',
      [1, 2].flatMap((x) => {
        const { id: _, ...item } = call(x === 1 ? 'a' : 'b', 'ls')
        return [
          added(item),
          { type: 'response.function_call_arguments.delta', delta: `{"x":${x}}` },
          done({ ...item, arguments: `{"x":${x}}` }),
        ]
      }),
    ],
  ])('%s', async (_, events) => {
    expect(await decode(WIRE, frames(created, ...events, completed))).toMatchObject({
      toolCalls: TWO,
      stopReason: 'tool_calls',
      error: null,
    })
  })
})

test('arguments that arrive before the start of their call belong to that call', async () => {
  const early = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"x":' }
  const whole = await decode(WIRE, frames(created, early, done(call('a', 'ls', '{"x":1}'), 0), completed))
  expect(whole).toMatchObject({ toolCalls: [TWO[0]], error: null })
  expect(await decode(WIRE, frames(created, early, completed))).toMatchObject({ toolCalls: [{ name: '', executable: false }] })
})

test('text that only the final event contains is shown once', async () => {
  const text = { output_index: 0, content_index: 0 }
  const end = { type: 'response.output_text.done', ...text, text: 'Hello' }
  for (const before of [[], [{ type: 'response.output_text.delta', ...text, delta: 'Hel' }]]) {
    const { events, message } = await decode(WIRE, frames(created, ...before, end, completed))
    expect([events, message.text]).toEqual([[{ kind: 'start' }, { kind: 'text', text: 'Hello' }, { kind: 'finish' }], 'Hello'])
  }
})

test('response.done ends an answer according to its status', async () => {
  const end = (response: object) => ({ type: 'response.done', response })
  expect(await decode(WIRE, frames(created, end({ status: 'completed' })))).toMatchObject({ stopReason: 'stop', error: null })
  const failed = { status: 'failed', error: { code: 'server_error', message: 'boom' } }
  expect((await decode(WIRE, frames(created, end(failed)))).error).toMatchObject({ code: 'server' })
})

test('an empty item is skipped', async () => {
  const body = frames(created, added(null, 0), done(call('a', 'ls', '{"x":1}'), 1), completed)
  expect(await decode(WIRE, body)).toMatchObject({ toolCalls: [TWO[0]], error: null })
})

test.each(['openai-responses', 'anthropic'] as const)(
  '%s: an error event without a type, as sent by gateways, is reported as an error',
  async (wire) => {
    const { error } = await decode(wire, frames({ error: { message: 'slow down', code: 'rate_limit_exceeded' } }))
    expect(error).toMatchObject({ code: 'rate_limit', message: expect.stringContaining('slow down') as string })
  },
)

test('Anthropic: arguments at the start of a call may be a string', async () => {
  const start = (input: string) => [
    { type: 'message_start', message: { id: 'm' } },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'ls', input } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ]
  expect((await decode('anthropic', frames(...start('')))).toolCalls).toEqual([{ ...TWO[0], args: {} }])
  expect((await decode('anthropic', frames(...start('{"x":1}')))).toolCalls).toEqual([TWO[0]])
})

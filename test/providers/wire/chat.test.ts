import { describe, expect, test } from 'vitest'
import { decode, frames } from '../support/decoded.ts'

const WIRE = 'openai-chat'
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'x',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})
const piece = (index: number | undefined, fn: object, id?: string | null) =>
  chunk({ tool_calls: [{ ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id }), function: fn }] })
const LS = { id: 'c1', name: 'ls', args: { path: '.' }, executable: true }

/** Tests the section "OpenAI Chat (and compatible servers)" of wire-formats.md. */
describe('Chat Completions', () => {
  test.each([
    ['the name comes late', [piece(0, { arguments: '{"path":' }, 'c1'), piece(0, { name: 'ls', arguments: '"."}' })]],
    ['the id comes late', [piece(0, { name: 'ls', arguments: '{"path":' }), piece(0, { arguments: '"."}' }, 'c1')]],
    [
      'id and name are repeated',
      [piece(0, { name: 'ls', arguments: '{"path":' }, 'c1'), piece(0, { name: 'ls', arguments: '"."}' }, 'c1')],
    ],
    [
      'id and name are empty in later chunks',
      [piece(0, { name: 'ls', arguments: '{"path":' }, 'c1'), piece(0, { name: '', arguments: '"."}' }, '')],
    ],
    [
      'id and name are null in later chunks',
      [piece(0, { name: 'ls', arguments: '{"path":' }, 'c1'), piece(0, { name: null, arguments: '"."}' }, null)],
    ],
    ['there is no index', [piece(undefined, { name: 'ls', arguments: '{"path":' }, 'c1'), piece(undefined, { arguments: '"."}' })]],
    ['the arguments are an object', [piece(0, { name: 'ls', arguments: { path: '.' } }, 'c1')]],
  ])('%s (W-22)', async (_, pieces) => {
    const decoded = await decode(WIRE, frames(...pieces, chunk({}, 'tool_calls'), '[DONE]'))
    expect(decoded).toMatchObject({ toolCalls: [LS], stopReason: 'tool_calls', error: null })
  })

  test('interleaved parts of several calls are joined by index (W-21)', async () => {
    const body = frames(
      piece(1, { name: 'b', arguments: '{"x":' }, 'c2'),
      piece(0, { name: 'a', arguments: '{' }, 'c1'),
      piece(1, { arguments: '2}' }),
      piece(0, { arguments: '}' }),
      chunk({}, 'tool_calls'),
      '[DONE]',
    )
    expect((await decode(WIRE, body)).toolCalls.map(({ id, name, args }) => [id, name, args])).toEqual([
      ['c1', 'a', {}],
      ['c2', 'b', { x: 2 }],
    ])
  })

  test('calls that all have the same index are kept apart by their ids', async () => {
    const body = frames(
      piece(0, { name: 'a', arguments: '{}' }, 'c1'),
      piece(0, { name: 'a', arguments: '{"x":1}' }, 'c2'),
      chunk({}, 'stop'),
      '[DONE]',
    )
    const { toolCalls, stopReason } = await decode(WIRE, body)
    expect([toolCalls.map(({ id, args }) => [id, args]), stopReason]).toEqual([
      [
        ['c1', {}],
        ['c2', { x: 1 }],
      ],
      'tool_calls',
    ])
  })

  test.each([
    ['and without an index', undefined],
    ['and with the same index', 0],
  ])('complete calls without ids %s are kept apart', async (_, index) => {
    const body = frames(
      piece(index, { name: 'a', arguments: '{}' }),
      piece(index, { name: 'a', arguments: '{"x":1}' }),
      chunk({}, 'stop'),
      '[DONE]',
    )
    const { toolCalls } = await decode(WIRE, body)
    expect(toolCalls.map(({ name, args, executable }) => [name, args, executable])).toEqual([
      ['a', {}, true],
      ['a', { x: 1 }, true],
    ])
  })

  test('usage comes in a last chunk without choices (W-24)', async () => {
    const usage = {
      prompt_tokens: 100,
      prompt_tokens_details: { cached_tokens: 60 },
      completion_tokens: 9,
      completion_tokens_details: { reasoning_tokens: 4 },
    }
    const { usage: counted } = await decode(
      WIRE,
      frames(chunk({ content: 'x' }), chunk({}, 'stop'), { id: 'x', choices: [], usage }, '[DONE]'),
    )
    expect(counted).toEqual({ input: 40, output: 9, cacheRead: 60, cacheWrite: 0, reasoning: 4 })
  })

  test('usage in each chunk replaces the previous usage, even with a smaller number (W-08)', async () => {
    const usage = (n: number) => ({ usage: { prompt_tokens: 10, completion_tokens: n } })
    const { usage: counted } = await decode(WIRE, frames(chunk({ content: 'x' }, null, usage(9)), chunk({}, 'stop', usage(2)), '[DONE]'))
    expect(counted).toEqual({ input: 10, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
  })

  test('a local server that sends no ids, no [DONE] and no usage is supported (W-25, W-26, W-27)', async () => {
    const local = (delta: object, finish_reason: string | null = null) => ({ choices: [{ delta, finish_reason }] })
    const body = frames(
      local({ content: 'Hi' }),
      local({ tool_calls: [{ function: { name: 'ls', arguments: '{"path":"."}' } }] }),
      local({}, 'stop'),
    )
    const { toolCalls, message, stopReason, usage, error } = await decode(WIRE, body)
    expect([message.text, stopReason, usage.input, error]).toEqual(['Hi', 'tool_calls', 0, null])
    expect(toolCalls.map(({ name, executable, id }) => [name, executable, id !== ''])).toEqual([['ls', true, true]])
  })

  test('[DONE] ends an answer without a finish reason, and an answer with neither counts as cut off', async () => {
    expect(await decode(WIRE, frames(chunk({ content: 'Hi' }), '[DONE]'))).toMatchObject({ stopReason: 'stop', error: null })
    expect((await decode(WIRE, frames(chunk({ content: 'Hi' })))).error?.code).toBe('cut_off')
    expect((await decode(WIRE, frames('[DONE]'))).error?.code).toBe('cut_off')
  })

  test.each([
    ['stop', 'tool_calls', true, null],
    ['function_call', 'tool_calls', true, null],
    ['STOP', 'tool_calls', true, null],
    ['content_filter', 'content_filter', false, null],
    ['error', 'error', false, 'The service ended the answer with “error”.'],
    ['model_length', 'length', true, null],
    ['', 'error', false, 'The answer gives no reason for its end.'],
    ['abort', 'error', false, 'The service ended the answer with “abort”.'],
    [null, 'error', false, 'The answer gives no reason for its end.'],
  ])('an answer that ended with %s', async (finish, stopReason, executable, message) => {
    const piece = { tool_calls: [{ index: 0, id: 'c1', function: { name: 'ls', arguments: '{}' } }] }
    const { toolCalls, ...decoded } = await decode(WIRE, frames(chunk(piece), chunk({}, finish), '[DONE]'))
    expect([decoded.stopReason, toolCalls.map((call) => call.executable)]).toEqual([stopReason, [executable]])
    expect(decoded.error).toEqual(message === null ? null : { code: 'unknown', message, retryAfterMs: null })
  })

  test.each(['', 'null', null])('an invalid finish reason (%j) before or after the valid one is ignored', async (none) => {
    const body = frames(chunk({ content: 'Hi' }, none), chunk({}, 'length'), chunk({}, none), '[DONE]')
    expect(await decode(WIRE, body)).toMatchObject({ stopReason: 'length', error: null })
    expect((await decode(WIRE, frames(chunk({ content: 'Hi' }, none)))).error?.code).toBe('cut_off')
  })

  test('calls next to a refusal are not executed', async () => {
    const piece = { refusal: 'I will not.', tool_calls: [{ index: 0, id: 'c1', function: { name: 'ls', arguments: '{}' } }] }
    const { toolCalls, stopReason } = await decode(WIRE, frames(chunk(piece), chunk({}, 'stop'), '[DONE]'))
    expect([stopReason, toolCalls.map(({ executable }) => executable)]).toEqual(['content_filter', [false]])
  })

  test('reasoning is read under either field name', async () => {
    for (const field of ['reasoning_content', 'reasoning']) {
      const body = frames(chunk({ [field]: 'Hm ' }), chunk({ [field]: 'hm.' }), chunk({ content: 'Yes.' }, 'stop'), '[DONE]')
      expect((await decode(WIRE, body)).message).toEqual({ text: 'Yes.', reasoning: 'Hm hm.' })
    }
  })

  test.each([
    [{ error: { message: 'Overloaded', code: 529 } }, 'overloaded'],
    [{ error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } }, 'rate_limit'],
    [{ error: { message: 'This model’s maximum context length is 4096 tokens', code: 400 } }, 'context_length'],
    [{ error: 'it broke' }, 'unknown'],
    [
      { object: 'error', message: 'This model’s maximum context length is 4096 tokens', type: 'BadRequestError', code: 400 },
      'context_length',
    ],
    [{ choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message: 'Upstream died' } }] }, 'server'],
  ])('an error in the middle of the stream: %j', async (event, code) => {
    const { error, message } = await decode(WIRE, frames(chunk({ content: 'Hi' }), event))
    expect([error?.code, message.text]).toEqual([code, 'Hi'])
  })
})

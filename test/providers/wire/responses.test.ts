import { describe, expect, test } from 'vitest'
import { decode, frames } from '../support/decoded.ts'

const WIRE = 'openai-responses'
const created = { type: 'response.created', response: { id: 'resp_1' } }
const completed = (more: object = {}) => ({
  type: 'response.completed',
  response: { id: 'resp_1', status: 'completed', output: [], ...more },
})

/** Tests the section "OpenAI Responses" of wire-formats.md. */
describe('OpenAI Responses', () => {
  test('items are matched by index, even if a proxy changes their ids in every event (W-18)', async () => {
    const body = frames(
      created,
      { type: 'response.output_item.added', output_index: 0, item: { id: 'a1', type: 'message', content: [] } },
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { id: 'b1', type: 'function_call', call_id: 'c1', name: 'ls', arguments: '' },
      },
      { type: 'response.output_text.delta', item_id: 'a2', output_index: 0, content_index: 0, delta: 'On' },
      { type: 'response.function_call_arguments.delta', item_id: 'b2', output_index: 1, delta: '{"path":' },
      { type: 'response.output_text.delta', item_id: 'a3', output_index: 0, content_index: 0, delta: 'e' },
      { type: 'response.function_call_arguments.delta', item_id: 'b3', output_index: 1, delta: '"."}' },
      completed(),
    )
    expect(await decode(WIRE, body)).toMatchObject({
      message: { text: 'One' },
      toolCalls: [{ id: 'c1', name: 'ls', args: { path: '.' }, executable: true }],
      stopReason: 'tool_calls',
    })
  })

  test.each([
    ['error, then response.failed', false],
    ['response.failed, then error', true],
  ])('%s: one failure (W-19)', async (_, failedFirst) => {
    const error = { type: 'error', code: 'rate_limit_exceeded', message: 'Please try again in 1.5s.' }
    const failed = {
      type: 'response.failed',
      response: { id: 'r', status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Please try again in 1.5s.' } },
    }
    const decoded = await decode(WIRE, frames(created, ...(failedFirst ? [failed, error] : [error, failed])))
    expect(decoded.events.filter(({ kind }) => kind === 'failure')).toHaveLength(1)
    expect(decoded.error).toMatchObject({ code: 'rate_limit', retryAfterMs: 1_500 })
  })

  test.each([
    ['insufficient_quota', 'quota_exceeded'],
    ['context_length_exceeded', 'context_length'],
    ['server_error', 'server'],
    ['server_is_overloaded', 'overloaded'],
    ['something_new', 'unknown'],
  ])('%s arrives with HTTP 200 and is %s (W-20)', async (code, expected) => {
    const failed = { type: 'response.failed', response: { id: 'r', status: 'failed', error: { code, message: 'No.' } } }
    expect((await decode(WIRE, frames(created, failed))).error).toMatchObject({ code: expected })
  })

  test.each([
    ['Please try again in 20ms.', 20],
    ['Please try again in 1.5s.', 1_500],
    ['Please try again in 6m0s.', 360_000],
    ['Please try again in 1h2m3s. Visit the page.', 3_723_000],
    ['Please try again in a while.', null],
    ['Please try again in 3 months.', null],
  ])('the time to wait can come from the message: %s', async (message, retryAfterMs) => {
    const failed = { type: 'response.failed', response: { id: 'r', status: 'failed', error: { code: 'rate_limit_exceeded', message } } }
    expect((await decode(WIRE, frames(created, failed))).error).toMatchObject({ code: 'rate_limit', retryAfterMs })
  })

  test('an error can be nested in the event', async () => {
    const nested = { type: 'error', error: { type: 'invalid_request_error', code: 'context_length_exceeded', message: 'Too long.' } }
    expect((await decode(WIRE, frames(created, nested))).error?.code).toBe('context_length')
  })

  test('an answer without deltas can be complete in its last event', async () => {
    const output = [
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'x' },
      { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'All at once.' }] },
      { type: 'function_call', id: 'f', call_id: 'c1', name: 'glob', arguments: '{"pattern":"*"}' },
    ]
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 2 },
    }
    expect(await decode(WIRE, frames(completed({ output, usage })))).toMatchObject({
      message: { text: 'All at once.', reasoning: 'Hm.' },
      toolCalls: [{ id: 'c1', name: 'glob', executable: true }],
      usage: { input: 6, output: 5, cacheRead: 4, cacheWrite: 0, reasoning: 2 },
    })
  })

  test('a finished item overrides the sum of its deltas', async () => {
    const item = { type: 'function_call', call_id: 'c1', name: 'ls', arguments: '{"path":"."}' }
    const body = frames(
      created,
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"pa' },
      { type: 'response.output_item.done', output_index: 0, item },
      completed(),
    )
    expect((await decode(WIRE, body)).toolCalls).toEqual([{ id: 'c1', name: 'ls', args: { path: '.' }, executable: true }])
  })

  test.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
  ])('incomplete because of %s', async (reason, stopReason) => {
    const end = { type: 'response.incomplete', response: { id: 'r', status: 'incomplete', incomplete_details: { reason } } }
    expect(await decode(WIRE, frames(created, end))).toMatchObject({ stopReason, error: null })
  })

  test('the final event completes unfinished arguments, but does not replace those of a finished item', async () => {
    const item = (args: string) => ({ type: 'function_call', call_id: 'c1', name: 'ls', arguments: args })
    const output = [item('{"path":"."}')]
    const began = [
      { type: 'response.output_item.added', output_index: 0, item: item('') },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"pa' },
    ]
    const end = { type: 'response.completed', response: { id: 'r', status: 'completed', output } }
    const done = { type: 'response.output_item.done', output_index: 0, item: item('{"path":"src"}') }
    const open = await decode(WIRE, frames(created, ...began, end))
    const closed = await decode(WIRE, frames(created, ...began, done, end))
    expect(open.toolCalls).toEqual([{ id: 'c1', name: 'ls', args: { path: '.' }, executable: true }])
    expect(closed.toolCalls).toEqual([{ id: 'c1', name: 'ls', args: { path: 'src' }, executable: true }])
  })

  test.each([
    ['response.incomplete', { incomplete_details: { reason: 'content_filter' } }, 'content_filter', null],
    [
      'response.incomplete',
      { incomplete_details: { reason: 'something_new' } },
      'error',
      'The service ended the answer with “something_new”.',
    ],
    ['response.incomplete', {}, 'error', 'The service ended the answer with “incomplete”.'],
    ['response.completed', { status: 'cancelled' }, 'error', 'The service ended the answer with “cancelled”.'],
  ])('no call is executed from a %s with %j', async (type, more, stopReason, message) => {
    const item = { type: 'function_call', call_id: 'c1', name: 'ls', arguments: '{}' }
    const body = frames(created, { type: 'response.output_item.done', output_index: 0, item }, { type, response: { id: 'r', ...more } })
    const { toolCalls, ...decoded } = await decode(WIRE, body)
    expect([decoded.stopReason, toolCalls.map(({ executable }) => executable)]).toEqual([stopReason, [false]])
    expect(decoded.error).toEqual(message === null ? null : { code: 'unknown', message, retryAfterMs: null })
  })

  test('a call beside a refusal is not executed', async () => {
    const item = { type: 'function_call', call_id: 'c1', name: 'ls', arguments: '{}' }
    const refusal = { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'No.' }
    const { toolCalls, stopReason } = await decode(
      WIRE,
      frames(created, refusal, { type: 'response.output_item.done', output_index: 1, item }, completed()),
    )
    expect([stopReason, toolCalls.map(({ executable }) => executable)]).toEqual(['content_filter', [false]])
  })

  test('a refusal is kept as the answer’s text, and counts as a stop by the content filter', async () => {
    const body = frames(created, { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'I will not.' }, completed())
    expect(await decode(WIRE, body)).toMatchObject({ message: { text: 'I will not.' }, stopReason: 'content_filter' })
  })

  test('reasoning summaries are separated by blank lines', async () => {
    const delta = (summary_index: number, text: string) => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index,
      delta: text,
    })
    const { message } = await decode(WIRE, frames(created, delta(0, 'One.'), delta(1, 'Two'), delta(1, '.'), completed()))
    expect(message.reasoning).toBe('One.\n\nTwo.')
  })

  describe('the final list of items is matched by id, not by position', () => {
    const message = { id: 'msg_1', type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }
    const called = { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'ls', arguments: '{"path":"."}' }
    const reasoning = { id: 'rs_1', type: 'reasoning', summary: [] }
    const done = (output_index: number, item: object) => ({ type: 'response.output_item.done', output_index, item })

    test.each<[string, readonly object[], readonly object[]]>([
      ['the events skip an index', [done(0, reasoning), done(2, message), done(5, called)], [reasoning, message, called]],
      ['the final list omits the reasoning', [done(0, reasoning), done(1, message), done(2, called)], [message, called]],
      ['the final list omits the call', [done(1, message), done(3, called)], [message]],
      ['only the final list contains the call', [done(2, message)], [reasoning, message, called]],
      [
        'a proxy gave every item a different id',
        [done(1, { ...message, id: 'a' }), done(3, { ...called, id: 'b' })],
        [reasoning, message, called],
      ],
      ['the final list is empty', [done(1, message), done(4, called)], []],
    ])('%s: text and call each appear once', async (_, events, output) => {
      expect(await decode(WIRE, frames(created, ...events, completed({ output })))).toMatchObject({
        message: { text: 'Hello' },
        toolCalls: [{ id: 'c1', name: 'ls', args: { path: '.' }, executable: true }],
      })
    })

    test('an item that only the final list contains gets the position that it has in that list', async () => {
      const second = { id: 'fc_0', type: 'function_call', call_id: 'c0', name: 'pwd', arguments: '{}' }
      const decoded = await decode(
        WIRE,
        frames(created, done(0, message), done(4, called), completed({ output: [message, second, called] })),
      )
      expect(decoded.toolCalls.map(({ id }) => id)).toEqual(['c0', 'c1'])
    })
  })
})

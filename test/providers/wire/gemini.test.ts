import { describe, expect, test } from 'vitest'
import { decode, frames } from '../support/decoded.ts'

const WIRE = 'gemini'
const chunk = (parts: readonly object[], finishReason?: string, usageMetadata?: object) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }],
  ...(usageMetadata ? { usageMetadata } : {}),
  responseId: 'r1',
})

/** Tests the section "Gemini" of wire-formats.md. */
describe('Gemini', () => {
  test('the last chunk’s prompt tokens override a higher count in an earlier chunk (W-08, W-28)', async () => {
    const body = frames(
      chunk([{ text: 'a' }], undefined, { promptTokenCount: 900, candidatesTokenCount: 1 }),
      chunk([{ text: 'b' }], 'STOP', {
        promptTokenCount: 300,
        cachedContentTokenCount: 100,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 5,
      }),
    )
    expect((await decode(WIRE, body)).usage).toEqual({ input: 200, output: 12, cacheRead: 100, cacheWrite: 0, reasoning: 5 })
  })

  test('STOP in the first chunk does not hide later parts (W-29)', async () => {
    const body = frames(
      chunk([{ text: 'One ' }], 'STOP'),
      chunk([{ text: 'two' }]),
      chunk([{ functionCall: { name: 'ls', args: { path: '.' } } }], 'STOP'),
    )
    expect(await decode(WIRE, body)).toMatchObject({
      message: { text: 'One two' },
      toolCalls: [{ name: 'ls', args: { path: '.' }, executable: true }],
      stopReason: 'tool_calls',
    })
  })

  test('a connection that breaks after STOP counts as cut off', async () => {
    expect((await decode(WIRE, frames(chunk([{ text: 'One ' }], 'STOP')), { end: 'cut' })).error?.code).toBe('cut_off')
  })

  test('an incomplete chunk after STOP counts as cut off', async () => {
    const whole = frames(chunk([{ text: 'One ' }], 'STOP'), chunk([{ text: 'two' }]))
    expect((await decode(WIRE, whole.slice(0, -20))).error?.code).toBe('cut_off')
  })

  test.each([
    ['a comment', ': alive\n'],
    ['an id', 'id: 7\n'],
    ['a retry time', 'retry: 100\n'],
  ])('%s before a frame’s data is ignored (W-33)', async (_, line) => {
    const body = frames(chunk([{ text: 'One ' }]), chunk([{ text: 'two' }], 'STOP')).replaceAll('data:', `${line}data:`)
    expect((await decode(WIRE, body)).message.text).toBe('One two')
  })

  test('the time to wait is read from the body (W-31), and an error about a quota counts as a rate limit unless the quota is per day', async () => {
    const said = {
      error: {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        message: 'You exceeded your current quota, please check your plan and billing details.',
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }],
      },
    }
    const refused = await decode(WIRE, JSON.stringify(said), { status: 429, headers: { 'content-type': 'application/json' } })
    expect(refused.error).toMatchObject({ code: 'rate_limit', retryAfterMs: 34_400 })
    expect((await decode(WIRE, frames(said))).error).toMatchObject({ code: 'rate_limit', retryAfterMs: 34_400 })
    const daily = { error: { ...said.error, details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProject' }] }] } }
    const over = await decode(WIRE, JSON.stringify(daily), { status: 429, headers: { 'content-type': 'application/json' } })
    expect(over.error?.code).toBe('quota_exceeded')
    expect(over.error?.message).toContain('The daily quota at ')
    expect(over.error?.message).not.toContain('no credit left')
  })

  test.each([
    [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', 'authentication'],
    [400, 'INVALID_ARGUMENT', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 'context_length'],
    [400, 'FAILED_PRECONDITION', 'User location is not supported.', 'invalid_request'],
    [403, 'PERMISSION_DENIED', 'No.', 'access_denied'],
    [404, 'NOT_FOUND', 'No such model.', 'not_found'],
    [503, 'UNAVAILABLE', 'The model is overloaded.', 'overloaded'],
    [504, 'DEADLINE_EXCEEDED', 'Too slow.', 'server'],
    [500, 'INTERNAL', 'Oops.', 'server'],
  ])('an error %i %s “%s” is reported as %s', async (code, status, message, expected) => {
    const body = JSON.stringify([{ error: { code, status, message } }])
    const decoded = await decode(WIRE, body, { status: code, headers: { 'content-type': 'application/json' } })
    expect(decoded.error?.code).toBe(expected)
  })

  test.each(['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'])(
    'finish reason %s counts as a stop by the content filter',
    async (reason) => {
      expect(await decode(WIRE, frames(chunk([], reason)))).toMatchObject({ stopReason: 'content_filter', error: null })
    },
  )

  test('a blocked prompt, which gets no answer, counts as a stop by the content filter', async () => {
    expect(await decode(WIRE, frames({ promptFeedback: { blockReason: 'SAFETY' } }))).toMatchObject({
      stopReason: 'content_filter',
      error: null,
    })
  })

  test.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'])('finish reason %s is a retryable failure', async (reason) => {
    const { error, stopReason } = await decode(WIRE, frames(chunk([], reason)))
    expect([error?.code, stopReason]).toEqual(['malformed', 'error'])
  })

  test.each(['STOP', 'MAX_TOKENS'])('streamed arguments are not executed, even if the answer ends with %s (W-30)', async (reason) => {
    const pieces = [
      { functionCall: { id: 'f1', name: 'write_file', willContinue: true } },
      { functionCall: { partialArgs: [{ jsonPath: '$.file_path', stringValue: 'a' }], willContinue: true } },
      { functionCall: {} },
    ]
    const one = { functionCall: { id: 'f2', name: 'b', args: { x: 1 }, willContinue: true } }
    const { toolCalls } = await decode(WIRE, frames(...pieces.map((piece) => chunk([piece])), chunk([one], reason)))
    expect(toolCalls).toEqual([
      { id: 'f1', name: 'write_file', args: '{', executable: false },
      { id: 'f2', name: 'b', args: '{"x":1', executable: false },
    ])
  })

  test.each([
    ['SAFETY', 'content_filter', null],
    ['OTHER', 'error', 'The service ended the answer with “OTHER”.'],
    ['FINISH_REASON_UNSPECIFIED', 'error', 'The service ended the answer with “FINISH_REASON_UNSPECIFIED”.'],
  ])('no call is executed from an answer that ended with %s', async (reason, stopReason, message) => {
    const { toolCalls, ...decoded } = await decode(WIRE, frames(chunk([{ functionCall: { name: 'a', args: {} } }], reason)))
    expect([decoded.stopReason, toolCalls.map(({ executable }) => executable)]).toEqual([stopReason, [false]])
    expect(decoded.error).toEqual(message === null ? null : { code: 'unknown', message, retryAfterMs: null })
  })

  test('a call arrives complete, and a call sent without arguments has empty arguments', async () => {
    const body = frames(chunk([{ functionCall: { name: 'a' } }, { functionCall: { id: 'f2', name: 'b', args: { x: 1 } } }], 'STOP'))
    const { toolCalls, events } = await decode(WIRE, body)
    expect(events.filter(({ kind }) => kind === 'call')).toEqual([
      { kind: 'call', toolName: 'a', chars: 0 },
      { kind: 'call', toolName: 'b', chars: 0 },
      { kind: 'call', toolName: 'b', chars: 7 },
    ])
    expect(toolCalls.map(({ name, args, executable }) => [name, args, executable])).toEqual([
      ['a', {}, true],
      ['b', { x: 1 }, true],
    ])
    expect(toolCalls[1]?.id).toBe('f2')
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2)
  })
})

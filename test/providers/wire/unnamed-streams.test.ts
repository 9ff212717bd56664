import { describe, expect, test } from 'vitest'
import { decode, frames, torn } from '../support/decoded.ts'

const JSON_TYPE = { headers: { 'content-type': 'application/json; charset=utf-8' } }
const HI = { id: 'x', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }

describe('the format of an answer is recognized by its body, not by the content type', () => {
  test('a stream labeled as JSON is read, wherever it is split', async () => {
    const bytes = Buffer.from(`\n${frames(HI, '[DONE]')}`)
    for (const size of [1, bytes.byteLength])
      expect(await decode('openai-chat', torn(bytes, size), JSON_TYPE)).toMatchObject({
        message: { text: 'Hi' },
        stopReason: 'stop',
        error: null,
      })
  })

  test('an answer in one piece, instead of a stream, is read', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4 }
    const calls = [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }]
    const message = { role: 'assistant', content: 'Hi', reasoning_content: 'Hm', tool_calls: calls }
    const chat = JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage }, null, 2)
    expect(await decode('openai-chat', torn(Buffer.from(chat), 9), JSON_TYPE)).toMatchObject({
      message: { text: 'Hi', reasoning: 'Hm' },
      toolCalls: [{ id: 'c1', name: 'ls', executable: true }],
      usage: { input: 3, output: 4 },
      error: null,
    })
    const parts = [
      { candidates: [{ content: { parts: [{ text: 'H' }] } }] },
      { candidates: [{ content: { parts: [{ text: 'i' }] }, finishReason: 'STOP' }] },
    ]
    expect(await decode('gemini', JSON.stringify(parts), JSON_TYPE)).toMatchObject({
      message: { text: 'Hi' },
      stopReason: 'stop',
      error: null,
    })
  })

  test('an incomplete JSON answer is rejected', async () => {
    const { error, toolCalls } = await decode('openai-chat', '{"choices":[{"message":{"content":"H', { ...JSON_TYPE, end: 'cut' })
    expect([error?.code, toolCalls]).toEqual(['cut_off', []])
    expect((await decode('openai-chat', '{"choices":[{"message":{"content":"H', JSON_TYPE)).error).toMatchObject({ code: 'malformed' })
  })

  test('a JSON error is reported with its message, in every format', async () => {
    for (const wire of ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const) {
      const { error } = await decode(wire, JSON.stringify({ error: { message: 'too fast', code: 'rate_limit_exceeded' } }), JSON_TYPE)
      expect(error).toMatchObject({ code: 'rate_limit', message: expect.stringContaining('too fast') as string })
    }
  })

  test.each([
    ['as plain JSON after its events', JSON.stringify({ error: { code: 503, message: 'overloaded now', status: 'UNAVAILABLE' } }, null, 2)],
    ['in a list', JSON.stringify([{ error: { code: 503, message: 'overloaded now', status: 'UNAVAILABLE' } }])],
    ['in a field of its own', `error: ${JSON.stringify({ code: 'UNAVAILABLE', message: 'overloaded now' })}`],
  ])('an error outside the stream’s events is reported, and earlier text is kept: %s', async (_, stray) => {
    const begun = frames({ candidates: [{ content: { parts: [{ text: 'Hi' }] } }] })
    const bytes = Buffer.from(`${begun}${stray}\n\n`)
    for (const size of [1, bytes.byteLength]) {
      const { error, message } = await decode('gemini', torn(bytes, size))
      expect([error?.code, message.text]).toEqual(['overloaded', 'Hi'])
      expect(error?.message).toContain('overloaded now')
    }
    expect((await decode('gemini', stray)).error?.code).toBe('overloaded')
  })
})

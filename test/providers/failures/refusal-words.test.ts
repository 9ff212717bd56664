import { describe, expect, test } from 'vitest'
import { decode, frames } from '../support/decoded.ts'

const json = { 'content-type': 'application/json' }

/** The user must see the service's own explanation of a refusal, in whatever form it came. */
describe('a refusal is shown with the text of the service', () => {
  test.each([
    ['in FastAPI’s format', { detail: 'No such lora.' }, 'No such lora'],
    ['in a gateway’s format', { msg: 'No such channel.', code: 1234 }, 'No such channel'],
    ['in an error field that is a string', { error: 'No such model.' }, 'No such model'],
    [
      'as JSON in the metadata of a router',
      { error: { message: 'Provider returned error', code: 400, metadata: { raw: '{"error":{"message":"Tool names must be unique"}}' } } },
      'Provider returned error: Tool names must be unique',
    ],
    [
      'as plain text in the metadata of a router',
      { error: { message: 'Upstream.', metadata: { raw: 'queue is full' } } },
      'Upstream: queue is full',
    ],
  ])('%s', async (_, body, words) => {
    const { error } = await decode('openai-chat', JSON.stringify(body), { status: 400, headers: json })
    expect(error).toEqual({
      code: 'invalid_request',
      message: `OpenAI-compatible server rejected the request (400): ${words}.`,
      retryAfterMs: null,
    })
  })

  test('even in the middle of a stream or with a success status', async () => {
    const error = { message: 'Provider returned error', code: 502, metadata: { raw: 'queue is full' } }
    const told = { code: 'server', message: expect.stringContaining('Provider returned error: queue is full') as string }
    expect((await decode('openai-chat', frames({ id: 'x', choices: [], error }))).error).toMatchObject(told)
    expect((await decode('openai-chat', '{"detail":"Loading"}', { headers: json })).error?.message).toContain('Loading')
  })

  test('as an event in a stream', async () => {
    const body = `event: error\n${frames({ type: 'error', error: { type: 'overloaded_error', message: 'Busy' } })}`
    const { error } = await decode('anthropic', body, { status: 500 })
    expect(error).toEqual({ code: 'overloaded', message: 'Anthropic is overloaded (500): Busy.', retryAfterMs: null })
  })

  test('an error without text is described by its status alone', async () => {
    const { error } = await decode('openai-chat', '', { status: 502 })
    expect(error).toEqual({ code: 'server', message: 'OpenAI-compatible server failed (502).', retryAfterMs: null })
  })
})

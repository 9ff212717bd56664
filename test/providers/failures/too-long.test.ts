import { describe, expect, test } from 'vitest'
import { decode } from '../support/decoded.ts'

async function codeOf(status: number, message: string): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json' }
  return (await decode('openai-chat', JSON.stringify({ error: { message } }), { status, headers })).error?.code
}

/** This error code triggers a compaction (D-16), so each service’s wording for it must be recognized. */
describe('an error about a conversation that is too long is recognized by its message', () => {
  test.each([
    'This model’s maximum prompt length is 131072 but the request contains 537812 tokens.',
    'Input is too long for requested model.',
    'Please reduce the length of the messages or completion.',
    'prompt token count of 130000 exceeds the limit of 128000',
    'The decoder prompt (length 40000) is longer than the maximum model length of 32768.',
    'Current length is 140000 while limit is 131072',
    '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000',
    'Range of input length should be [1, 98304]',
    'prompt exceeds max length',
    'Input tokens exceed the configured limit of 272000 tokens.',
    'Invalid request: Your request exceeded model token limit: 262144',
  ])('%s', async (words) => {
    expect(await codeOf(400, words)).toBe('context_length')
  })

  test('even if a server reports an internal error', async () => {
    expect(await codeOf(500, 'Context size has been exceeded.')).toBe('context_length')
  })

  test.each([
    'max_tokens is too large: 100000. This model supports at most 16384 completion tokens',
    'Invalid ‘user’: string too long. Expected a string with maximum length 64',
  ])('other errors are not treated as a conversation that is too long: %s', async (words) => {
    expect(await codeOf(400, words)).toBe('invalid_request')
  })
})

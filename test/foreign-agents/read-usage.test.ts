import { expect, test } from 'vitest'
import { createUsageReader } from '../../main/foreign-agents/read-usage.ts'
import { addUsage, NO_USAGE } from '../../shared/session/content.ts'

const data = (...events: readonly object[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

/** The text as a chunked HTTP answer, in which chunk borders also split numbers. */
function chunked(text: string, size: number): string {
  const chunks = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? []
  return `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n${chunks.map((chunk) => `\r\n${chunk.length.toString(16)}\r\n${chunk}`).join('')}`
}

/** The tokens that are read if the bytes arrive in pieces of this size. */
function read(text: string, size: number) {
  let total = NO_USAGE
  const hear = createUsageReader((more) => (total = addUsage(total, more)))
  for (let at = 0; at < text.length; at += size) hear(Buffer.from(text.slice(at, at + size)))
  return total
}

const ANSWERS = {
  anthropic: data(
    {
      type: 'message_start',
      message: { usage: { input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 } },
    },
    { type: 'content_block_delta', delta: { text: 'The "usage": it {varies}.' } },
    { type: 'message_delta', delta: {}, usage: { output_tokens: 30 } },
  ),
  chat: data({ choices: [] }, { usage: { prompt_tokens: 125, prompt_tokens_details: { cached_tokens: 100 }, completion_tokens: 30 } }),
  responses: data({
    type: 'response.completed',
    response: { usage: { input_tokens: 125, input_tokens_details: { cached_tokens: 100 }, output_tokens: 30 } },
  }),
  gemini: data(
    { usageMetadata: { promptTokenCount: 125, cachedContentTokenCount: 100, candidatesTokenCount: 10 } },
    { usageMetadata: { promptTokenCount: 125, cachedContentTokenCount: 100, candidatesTokenCount: 20, thoughtsTokenCount: 10 } },
  ),
}

for (const [name, answer] of Object.entries(ANSWERS))
  test(`the tokens of an answer in the format ${name} are read, wherever its bytes are cut`, () => {
    const expected = { cacheRead: 100, output: 30 }
    for (const size of [1, 3, 17, 64, 10_000]) {
      expect(read(answer, size)).toMatchObject(expected)
      expect(read(chunked(answer, 29), size)).toMatchObject(expected)
    }
    const { input, cacheWrite } = read(answer, 10_000)
    expect(input + cacheWrite).toBe(25)
  })

test('reports that are incomplete or have no numbers count as nothing', () => {
  expect(read('{"usage": {"prompt_tokens": "many"}} "usage": {"prompt_tok', 7)).toEqual(NO_USAGE)
})

import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import type { ModelRequest } from '../../main/agent/ports/provider.ts'
import { anthropicBody } from '../../main/providers/anthropic/anthropic-body.ts'
import type { BodyFormat } from '../../main/providers/body/body-format.ts'
import { createBodyWriter } from '../../main/providers/body/body-writer.ts'
import { geminiBody } from '../../main/providers/gemini/gemini-body.ts'
import { piecesOf, placeholderBody } from '../../main/providers/http/placeholder-body.ts'
import { chatBody } from '../../main/providers/openai-compatible/chat-body.ts'
import { responsesBody } from '../../main/providers/openai/responses-body.ts'
import type { Turn } from '../../shared/session/conversation-turns.ts'
import { request } from '../support/collected.ts'
import { asks, assistant, results, user } from './support/turns.ts'

const FORMATS: readonly (readonly [string, BodyFormat])[] = [
  ['Anthropic', anthropicBody('anthropic')],
  ['OpenAI Responses', responsesBody],
  ['Chat Completions', chatBody],
  ['Gemini', geminiBody],
]
const ROUNDS = 400
const RESULT = 'line of a file\n'.repeat(400)

/** Yields the requests of a conversation that grows by one round each time. */
function* growing(rounds = ROUNDS): Generator<ModelRequest> {
  const turns: Turn[] = [user('Go')]
  for (let round = 0; round < rounds; round++) {
    turns.push(assistant([asks(`c${round}`, 't', `{"n":${round}}`)]), results([`c${round}`, `${round} ${RESULT}`]))
    yield request('model', { turns: [...turns] })
  }
}

test.each(FORMATS)('%s: the cost of serializing a request does not grow with the number of rounds', (_, format) => {
  const write = createBodyWriter(format)
  const known = new Set<ArrayBufferLike>()
  const fresh: number[] = []
  for (const asked of growing()) {
    // The pieces in memory that no earlier request used. Any copies of earlier messages would be among them.
    const own = write(asked).filter(({ buffer }) => !known.has(buffer))
    fresh.push(own.reduce((bytes, { byteLength }) => bytes + byteLength, 0))
    for (const { buffer } of own) known.add(buffer)
  }
  // The two newest rounds are written anew for each request. If the round before them is the first one in a new buffer, it counts too.
  expect(Math.max(...fresh.slice(20))).toBeLessThan(5 * RESULT.length)
})

test.each(FORMATS)('%s: the bytes of an earlier request are never changed by a later one', (_, format) => {
  const write = createBodyWriter(format)
  const handed = [...growing(60)].map((asked) => {
    const pieces = write(asked)
    return { pieces, text: Buffer.concat(pieces).toString('latin1') }
  })
  expect(handed.every(({ pieces, text }) => Buffer.concat(pieces).toString('latin1') === text)).toBe(true)
})

test('a copied request body causes an error instead of being sent empty', () => {
  const pieces = [Buffer.from('a'), Buffer.from('b')]
  const seal = placeholderBody(pieces)
  expect(piecesOf(seal)).toBe(pieces)
  expect(() => piecesOf(new Uint8Array(seal))).toThrow('The body of a request was lost before it reached the transport.')
})

import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { anthropicBody } from '../../main/providers/anthropic/anthropic-body.ts'
import type { BodyFormat } from '../../main/providers/body/body-format.ts'
import { createBodyWriter } from '../../main/providers/body/body-writer.ts'
import { failureOfResponse } from '../../main/providers/failures/failures.ts'
import { geminiBody } from '../../main/providers/gemini/gemini-body.ts'
import { chatBody } from '../../main/providers/openai-compatible/chat-body.ts'
import { responsesBody } from '../../main/providers/openai/responses-body.ts'
import type { Turn } from '../../shared/session/conversation-turns.ts'

const IMAGE = { kind: 'image', mediaType: 'image/png', data: 'iVBORw==' } as const
const LINKED = { kind: 'image_url', url: 'https://example.com/a.jpg' } as const
const BETWEEN = [
  { kind: 'text', text: 'Before' } as const,
  IMAGE,
  { kind: 'text', text: ' ' } as const,
  LINKED,
  { kind: 'text', text: 'After' } as const,
]

function bodyOf(format: BodyFormat, turns: readonly Turn[]): unknown {
  const pieces = createBodyWriter(format)({ model: 'm', system: '', tools: [], turns, effort: null })
  return JSON.parse(Buffer.concat(pieces).toString())
}

describe('a message with pictures is sent to each service with its parts in order (L-10)', () => {
  const turn: Turn = { kind: 'user', content: BETWEEN }

  test('anthropic: blocks with base64 and with an address', () => {
    expect(bodyOf(anthropicBody('anthropic'), [turn])).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Before' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } },
            { type: 'image', source: { type: 'url', url: 'https://example.com/a.jpg' } },
            { type: 'text', text: 'After', cache_control: { type: 'ephemeral' } },
          ],
        },
      ],
    })
  })

  test('openai: items with data URLs and with an address', () => {
    expect((bodyOf(responsesBody, [turn]) as { input: unknown }).input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Before' },
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw==', detail: 'auto' },
          { type: 'input_image', image_url: 'https://example.com/a.jpg', detail: 'auto' },
          { type: 'input_text', text: 'After' },
        ],
      },
    ])
  })

  test('openai-compatible: parts of a message, or a plain string if there are no pictures', () => {
    const words: Turn = { kind: 'steering', content: [{ kind: 'text', text: 'Only words' }] }
    expect((bodyOf(chatBody, [turn, words]) as { messages: unknown }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Before' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } },
          { type: 'image_url', image_url: { url: 'https://example.com/a.jpg' } },
          { type: 'text', text: 'After' },
        ],
      },
      { role: 'user', content: 'Only words' },
    ])
  })

  test('gemini: inline data, and file data whose type comes from the file name in the address', () => {
    expect((bodyOf(geminiBody, [turn]) as { contents: unknown }).contents).toEqual([
      {
        role: 'user',
        parts: [
          { text: 'Before' },
          { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } },
          { fileData: { mimeType: 'image/jpeg', fileUri: 'https://example.com/a.jpg' } },
          { text: 'After' },
        ],
      },
    ])
  })

  test.each([anthropicBody('anthropic'), responsesBody, chatBody, geminiBody])(
    'a picture without text, even as a steering message, is sent without an empty text part: $provider',
    (format) => {
      const alone = JSON.stringify(bodyOf(format, [{ kind: 'steering', content: [IMAGE] }]))
      expect(alone).toContain('iVBORw==')
      expect(alone).not.toContain('"text":""')
    },
  )
})

describe('a refusal of pictures is recognized, and the same request is not retried', () => {
  const refused = (status: number, words: string) =>
    failureOfResponse({ service: 'S', status, type: null, words, body: words, key: null, nowMs: 0, header: () => null })

  test.each([
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    [400, 'qwen3 is not a multimodal model'],
    [404, 'No endpoints found that support image input'],
    [400, 'Could not process image'],
    [400, 'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum'],
  ])('status %i: %s', (status, words) => {
    expect(refused(status, words)).toMatchObject({ cause: 'pictures', retryable: false })
  })

  test.each([
    [404, 'models/gemini-2.5-flash-image is not found for API version v1beta, or is not supported for generateContent'],
    [400, 'prompt is too long: 250000 tokens'],
    [429, 'You can send fewer images: no more are supported this minute'],
    [500, 'Internal server error'],
  ])('other errors are not mistaken for a refusal of pictures: %i %s', (status, words) => {
    expect(refused(status, words).cause).toBeUndefined()
  })
})

import { describe, expect, test } from 'vitest'
import { buildRequest } from './build-request.ts'
import { historySchema } from './given-history.ts'
import type { WireName } from './provider-over-transport.ts'
import { JPEG, png } from '../../support/small-pictures.ts'

const PNG = png(1, 1, [1, 2, 3]).toString('base64')
const ADDRESS = 'https://example.com/pictures/a.webp'

const body = async (provider: WireName, content: unknown, model = 'gemini-3.8-flash'): Promise<Readonly<Record<string, unknown>>> =>
  (await buildRequest({ provider, history: historySchema.parse([{ role: 'user', content }]), tools: [], options: { model } }))
    .body as Readonly<Record<string, unknown>>

const FORMS: readonly (readonly [string, object])[] = [
  ['our own', { kind: 'image', mediaType: 'image/png', data: PNG }],
  ['bytes without a type', { kind: 'IMAGE', data: PNG }],
  ['Anthropic’s', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
  ['that of Chat Completions', { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }],
  ['that of Responses', { type: 'input_image', image_url: `data:image/png;base64,${PNG}` }],
  ['Gemini’s', { inlineData: { mimeType: 'image/png', data: PNG } }],
  ['an image object inside the part', { kind: 'image', image: { data: PNG, media_type: 'image/png' } }],
  ['a wrong media type for its bytes', { kind: 'image', mediaType: 'image/jpeg', data: PNG }],
]

describe('a picture in a user’s turn, in any supported form (L-10, L-30)', () => {
  test.each(FORMS)('%s, between texts', async (_, image) => {
    const content = [{ type: 'text', text: 'This' }, image, { type: 'text', text: 'or that?' }]
    expect((await body('anthropic', content, 'claude-sonnet-5-5'))['messages']).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'This' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          { type: 'text', text: 'or that?' },
        ],
      },
    ])
    expect((await body('openai-responses', content, 'gpt-5.5'))['input']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'This' },
          { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
          { type: 'input_text', text: 'or that?' },
        ],
      },
    ])
    expect((await body('openai-chat', content, 'qwen3-vl'))['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'This' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          { type: 'text', text: 'or that?' },
        ],
      },
    ])
    expect((await body('gemini', content))['contents']).toEqual([
      { role: 'user', parts: [{ text: 'This' }, { inlineData: { mimeType: 'image/png', data: PNG } }, { text: 'or that?' }] },
    ])
  })

  test.each([
    ['anthropic', 'claude-sonnet-5-5', { type: 'image', source: { type: 'url', url: ADDRESS } }],
    ['openai-responses', 'gpt-5.5', { type: 'input_image', image_url: ADDRESS, detail: 'auto' }],
    ['openai-chat', 'qwen3-vl', { type: 'image_url', image_url: { url: ADDRESS } }],
    ['gemini', 'gemini-3.8-flash', { fileData: { mimeType: 'image/webp', fileUri: ADDRESS } }],
  ] as const)('%s fetches a picture from its https address', async (provider, model, expected) => {
    for (const given of [
      { type: 'image_url', image_url: { url: ADDRESS } },
      { type: 'image', source: { type: 'url', url: ADDRESS } },
    ])
      expect(JSON.stringify(await body(provider, [given, { type: 'text', text: 'What is it?' }], model))).toContain(
        JSON.stringify(expected),
      )
  })

  test('a picture of unknown type is sent as PNG', async () => {
    expect(JSON.stringify(await body('anthropic', [{ kind: 'image', data: 'AAAA' }], 'm'))).toContain(
      '"media_type":"image/png","data":"AAAA"',
    )
    expect(JSON.stringify(await body('gemini', [{ kind: 'image', data: JPEG.toString('base64') }]))).toContain('"mimeType":"image/jpeg"')
  })
})

describe('refused with an error, never left out silently', () => {
  test.each([
    ['an address that is not https', { type: 'image_url', image_url: { url: 'http://example.com/a.png' } }],
    ['a file of this machine', { type: 'image_url', image_url: { url: 'file:///etc/passwd' } }],
    ['a path', { type: 'image_url', image_url: { url: './a.png' } }],
    ['a format that no vendor accepts', { kind: 'image', mediaType: 'image/tiff', data: 'SUkqAA==' }],
    ['a picture without bytes', { kind: 'image', mediaType: 'image/png' }],
    ['sound', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }],
  ])('%s', (_, part) => {
    expect(historySchema.safeParse([{ role: 'user', content: [{ type: 'text', text: 'Look' }, part] }]).success).toBe(false)
  })

  test('a picture’s address for a Gemini model that does not accept addresses', async () => {
    await expect(body('gemini', [{ type: 'image_url', image_url: { url: ADDRESS } }], 'gemini-2.0-flash')).rejects.toThrow(
      `gemini-2.0-flash does not accept pictures by address. Pass the bytes instead of ${ADDRESS}.`,
    )
  })

  test.each([
    ['anthropic', 5 * 1024 * 1024, ' in base64'],
    ['gemini', 20 * 1024 * 1024, ' in base64'],
    ['openai-responses', 28 * 1024 * 1024, ''],
  ] as const)('a picture that is too large for %s', async (provider, largest, unit) => {
    const data = 'A'.repeat(largest + 4)
    await expect(body(provider, [{ kind: 'image', mediaType: 'image/png', data }])).rejects.toThrow(
      new RegExp(`^A picture has \\d+ bytes${unit}; at most \\d+ are allowed\\.$`),
    )
  })
})

import { describe, expect, test } from 'vitest'
import { buildRequest } from '../../main/providers/replay/build-request.ts'
import { historySchema } from '../../main/providers/replay/history.ts'
import type { WireName } from '../../main/providers/replay/open-over.ts'

const MODELS = {
  anthropic: 'claude-opus-5-5',
  'openai-responses': 'gpt-5.6-sol',
  'openai-chat': 'm',
  gemini: 'gemini-3.8-flash',
} as const satisfies Record<WireName, string>
const WIRES = Object.keys(MODELS) as readonly WireName[]

interface Sent {
  readonly description: string
  readonly schema: unknown
}

/** The tool as each service is told it. */
async function sent(wire: WireName, parameters: Readonly<Record<string, unknown>>): Promise<Sent> {
  const history = historySchema.parse([{ kind: 'user', content: 'Go' }])
  const tools = [{ name: 'look', description: 'Looks.', parameters }]
  const { body } = await buildRequest({ provider: wire, history, tools, options: { model: MODELS[wire] } })
  const [first] = (body as { readonly tools: readonly Readonly<Record<string, unknown>>[] }).tools
  const held = (first?.['function'] ?? (first?.['functionDeclarations'] as readonly unknown[] | undefined)?.[0] ?? first) as Record<
    string,
    unknown
  >
  return { description: String(held['description']), schema: held['parameters'] ?? held['parametersJsonSchema'] ?? held['input_schema'] }
}

/** What services refuse of a schema takes all requests with it (L-18). */
describe.each(WIRES)('%s: a tool’s schema from elsewhere is one that is taken', (wire) => {
  test.each<[string, Readonly<Record<string, unknown>>, object]>([
    ['no arguments', { type: 'object' }, { type: 'object', properties: {} }],
    ['nothing at all', {}, { type: 'object', properties: {} }],
    ['the name of its dialect', { $schema: 'x', type: 'object', properties: {} }, { type: 'object', properties: {} }],
    [
      'lists that do not say of what',
      {
        type: 'object',
        properties: { a: { type: 'array' }, b: { type: ['array', 'null'] }, items: { type: 'array', items: { type: 'array' } } },
      },
      {
        type: 'object',
        properties: {
          a: { type: 'array', items: {} },
          b: { type: ['array', 'null'], items: {} },
          items: { type: 'array', items: { type: 'array', items: {} } },
        },
      },
    ],
    [
      'a list of this, then that',
      { type: 'object', properties: { a: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } } },
      { type: 'object', properties: { a: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } } },
    ],
  ])('%s', async (_, given, taken) => {
    expect(await sent(wire, given)).toEqual({ description: 'Looks.', schema: taken })
  })

  test('alternatives at the top become its properties, and the description says what must fit', async () => {
    const anyOf = [
      { $ref: '#/$defs/ByRoute' },
      { type: 'object', properties: { file: { type: 'string' }, deep: { type: 'boolean' } }, required: ['file', 'deep'] },
    ]
    const $defs = {
      ByRoute: { type: 'object', properties: { route: { type: 'string' }, deep: { type: 'number' } }, required: ['route', 'deep'] },
    }
    const { description, schema } = await sent(wire, { anyOf, $defs, properties: { deep: { type: 'boolean' } } })
    expect(schema).toEqual({
      type: 'object',
      $defs,
      properties: { route: { type: 'string' }, deep: { type: 'boolean' }, file: { type: 'string' } },
      required: ['deep'],
    })
    expect(description).toBe(`Looks.\n\nThe arguments must also fit this JSON Schema: ${JSON.stringify({ anyOf })}`)
  })

  test('what is fine stays as it is, byte for byte', async () => {
    const fine = {
      type: 'object',
      required: ['oneOf'],
      properties: {
        oneOf: { oneOf: [{ const: 1 }, { type: 'null' }] },
        enum: { enum: ['a'] },
        list: { type: 'array', items: { $ref: '#/$defs/x' } },
      },
      additionalProperties: false,
      $defs: { x: { type: 'string' } },
    }
    expect(JSON.stringify((await sent(wire, fine)).schema)).toBe(JSON.stringify(fine))
  })
})

import { describe, expect, test } from 'vitest'
import { buildRequest } from '../driver/offline/build-request.ts'
import { historySchema } from '../driver/offline/given-history.ts'
import type { WireName } from '../driver/offline/provider-over-transport.ts'

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

/** Returns the tool as it is sent to this service. */
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

/** If a service refuses one tool's schema, it refuses every request (L-18), so schemas are made acceptable before they are sent. */
describe.each(WIRES)('%s: a tool schema from another program is converted to a schema that the service accepts', (wire) => {
  test.each<[string, Readonly<Record<string, unknown>>, object]>([
    ['a schema without properties', { type: 'object' }, { type: 'object', properties: {} }],
    ['an empty schema', {}, { type: 'object', properties: {} }],
    ['a schema with a $schema member', { $schema: 'x', type: 'object', properties: {} }, { type: 'object', properties: {} }],
    [
      'lists without an item type',
      {
        type: 'object',
        properties: { a: { type: 'array' }, items: { type: 'array', items: { type: 'array' } } },
      },
      {
        type: 'object',
        properties: {
          a: { type: 'array', items: {} },
          items: { type: 'array', items: { type: 'array', items: {} } },
        },
      },
    ],
    [
      'a tuple',
      { type: 'object', properties: { a: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } } },
      { type: 'object', properties: { a: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } } },
    ],
  ])('%s', async (_, given, taken) => {
    expect(await sent(wire, given)).toEqual({ description: 'Looks.', schema: taken })
  })

  test('top-level alternatives are merged into one object, and the description says what must match', async () => {
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
      ...(wire === 'gemini' ? {} : { $defs }),
      properties: { route: { type: 'string' }, deep: { type: 'boolean' }, file: { type: 'string' } },
      required: ['deep'],
    })
    expect(description).toBe(`Looks.\n\nThe arguments must also fit this JSON Schema: ${JSON.stringify({ anyOf })}`)
  })
})

test.each(WIRES.filter((wire) => wire !== 'gemini'))('%s: a valid schema is unchanged, byte for byte', async (wire) => {
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

test.each(WIRES.filter((wire) => wire !== 'gemini'))(
  '%s: a property that may be an array or null also gets an element type',
  async (wire) => {
    const { schema } = await sent(wire, { type: 'object', properties: { a: { type: ['array', 'null'] } } })
    expect(schema).toEqual({ type: 'object', properties: { a: { type: ['array', 'null'], items: {} } } })
  },
)

/** Gemini accepts less than JSON Schema allows, and refuses every request with an unsupported schema. */
describe('Gemini', () => {
  const taken = async (parameters: Readonly<Record<string, unknown>>) => (await sent('gemini', parameters)).schema

  test('the schemas of our own tools are unchanged, byte for byte', async () => {
    const own = {
      type: 'object',
      properties: { a: { type: 'string', minLength: 1 }, b: { type: ['string', 'null'] } },
      additionalProperties: false,
      required: ['a'],
    }
    expect(JSON.stringify(await taken(own))).toBe(JSON.stringify(own))
  })

  test('a reference is replaced by its definition and keeps its own description', async () => {
    const $defs = { Size: { type: 'string', enum: ['s', 'm'] }, Box: { type: 'object', properties: { size: { $ref: '#/$defs/Size' } } } }
    const properties = {
      box: { $ref: '#/$defs/Box', description: 'Which.' },
      sizes: { type: 'array', items: { $ref: '#/$defs/Size', default: 's' } },
    }
    expect(await taken({ type: 'object', properties, $defs })).toEqual({
      type: 'object',
      properties: {
        box: { type: 'object', properties: { size: { type: 'string', enum: ['s', 'm'] } }, description: 'Which.' },
        sizes: { type: 'array', items: { type: 'string', enum: ['s', 'm'], default: 's' } },
      },
    })
  })

  test('a definition that refers to itself is kept', async () => {
    const definitions = {
      Tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/definitions/Tree', title: 'x' } } } },
    }
    const children = { type: 'array', items: { $ref: '#/$defs/Tree' } }
    expect(await taken({ type: 'object', properties: { root: { $ref: '#/definitions/Tree' } }, definitions })).toEqual({
      type: 'object',
      properties: { root: { type: 'object', properties: { children } } },
      $defs: { Tree: { type: 'object', properties: { children } } },
    })
  })

  test('definitions that refer to each other many times do not expand without limit', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `D${index}`)
    const next = (index: number) => ({ $ref: `#/$defs/D${index + 1}` })
    const $defs = Object.fromEntries(
      names.map((name, index) => [
        name,
        index === 39 ? { type: 'string' } : { type: 'object', properties: { a: next(index), b: next(index) } },
      ]),
    )
    expect(JSON.stringify(await taken({ type: 'object', properties: { a: { $ref: '#/$defs/D0' } }, $defs })).length).toBeLessThan(1_000_000)
  })

  test.each([
    ['a property that accepts any value', true, {}],
    ['a property with a single allowed value', { type: 'string', const: 'x' }, { type: 'string', enum: ['x'] }],
    ['an object or null', { type: ['object', 'null'], properties: { b: true } }, { type: 'object', properties: { b: {} } }],
    [
      'a list or a string',
      { type: ['array', 'string'], items: { type: 'string' } },
      { anyOf: ['array', 'string'].map((type) => ({ type, items: { type: 'string' } })) },
    ],
    [
      'a required property that is not defined',
      { type: 'object', properties: { b: {} }, required: ['b', 'c'] },
      { type: 'object', properties: { b: {} }, required: ['b'] },
    ],
  ])('%s', async (_, given, expected) => {
    expect(await taken({ type: 'object', properties: { a: given }, required: ['a', 'z'] })).toEqual({
      type: 'object',
      properties: { a: expected },
      required: ['a'],
    })
  })
})

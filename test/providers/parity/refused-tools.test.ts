import { describe, expect, test } from 'vitest'
import type { Tool } from '../../../main/agent/ports/tool.ts'
import { createMcpTool } from '../../../main/mcp/mcp-tool.ts'
import type { ScriptedAnswer, ScriptedRequest } from '../../../main/providers/rehearsal/scripted-answer.ts'
import { call, calls, httpError, say } from '../../support/scripted-model.ts'
import { type Desk, openDesk, type Way, WAYS } from './desk.ts'

const BAD = ['mcp__maps__broken', 'mcp__maps__odd']
const OWN = ['mcp__maps__route', 'mcp__maps__broken', 'mcp__maps__place', 'mcp__maps__odd'].map(toolNamed)

function toolNamed(name: string): Tool {
  const tool = { name, description: 'Looks.', schema: { type: 'object', properties: { at: { type: 'string' } } } }
  return createMcpTool({ server: 'maps', tool }, name, () => Promise.resolve({ content: [], structured: null, isError: false }))
}

const json = (value: unknown): ScriptedAnswer => ({
  kind: 'raw',
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const invalid = (words: string) => httpError(400, 'invalid_request_error', words)

type Refuse = (place: number, name: string) => ScriptedAnswer

/** How services name the tool, as seen in public reports. */
const FORMS: Readonly<Record<Way['provider'], Readonly<Record<string, Refuse>>>> = {
  anthropic: {
    'by its place': (place) =>
      invalid(`tools.${place}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`),
  },
  openai: {
    'by its name': (_, name) => invalid(`Invalid schema for function '${name}': In context=(), object schema missing properties.`),
    'by its place beside the message': (place) =>
      json({ error: { message: 'Invalid schema.', type: 'invalid_request_error', param: `tools[${place}].parameters`, code: null } }),
  },
  'openai-compatible': {
    'by its name': (_, name) => invalid(`litellm.BadRequestError: Invalid schema for function "${name}": [] is not of type 'object'`),
    'by its place': (place) => invalid(`Invalid type for 'tools[${place}].function.parameters': expected an object`),
    'by its place in a list of errors': (place) =>
      json({
        detail: [{ type: 'dict_type', loc: ['body', 'tools', place, 'function', 'parameters'], msg: 'Input should be a dictionary' }],
      }),
  },
  gemini: {
    'by its place': (place) =>
      httpError(
        400,
        'INVALID_ARGUMENT',
        `* GenerateContentRequest.tools[0].function_declarations[${place}].parameters.properties[at].items: missing field.`,
      ),
    'by its place beside the message': (place) => {
      const field = `tools[0].function_declarations[${place}].parameters`
      const details = [
        { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, description: 'missing field.' }] },
      ]
      return json({ error: { code: 400, message: 'Request contains an invalid argument.', status: 'INVALID_ARGUMENT', details } })
    },
  },
}

const CASES = WAYS.flatMap((way) =>
  Object.entries(FORMS[way.provider]).map(([form, refuse]) => ({ way, provider: way.provider, form, refuse })),
)

function sentNames({ json: body }: ScriptedRequest): readonly string[] {
  const tools = body['tools'] as readonly Readonly<Record<string, unknown>>[]
  const list = (tools[0]?.['functionDeclarations'] as typeof tools | undefined) ?? tools
  return list.map((tool) => String((tool['function'] as { readonly name: string } | undefined)?.name ?? tool['name']))
}

/** Refuses every request with one of these tools. */
const refusing =
  (bad: readonly string[], refuse: Refuse, answers: readonly ScriptedAnswer[] = []) =>
  (request: ScriptedRequest): ScriptedAnswer => {
    const names = sentNames(request)
    const place = names.findIndex((name) => bad.includes(name))
    return place < 0 ? (answers[request.index] ?? say('Done.')) : refuse(place, names[place] ?? '')
  }

const warnings = (desk: Desk) =>
  desk.events().flatMap((event) => (event.kind === 'WARNING' ? [event.refusedTool ?? event.trouble.code] : []))
const mapsIn = (desk: Desk, index: number) => {
  const request = desk.model.requests[index]
  return request === undefined ? [] : sentNames(request).filter((name) => name.startsWith('mcp__'))
}

describe.each(CASES)('$provider: a tool that the service refuses and names $form', { timeout: 60_000 }, ({ way, refuse }) => {
  test('is left out and named once; the other tools stay, and no later request contains it', async () => {
    const desk = await openDesk(way, refusing(BAD, refuse, [say(''), say(''), calls(call('list_directory', { path: '.' }))]), OWN)
    expect((await desk.run('Go')).ended).toBe('completed')
    expect((await desk.run('And now?')).ended).toBe('completed')
    expect(warnings(desk)).toEqual(BAD)
    expect(desk.model.requests).toHaveLength(5)
    expect(mapsIn(desk, 0)).toHaveLength(4)
    expect(mapsIn(desk, 4)).toEqual(['mcp__maps__route', 'mcp__maps__place'])
  })
})

describe.each(WAYS.map((way) => ({ way, provider: way.provider })))('$provider', { timeout: 60_000 }, ({ way }) => {
  test('a refusal of a tool that the agent needs ends the turn', async () => {
    const first = Object.values(FORMS[way.provider])[0] ?? (() => say('Done.'))
    const desk = await openDesk(way, (request) => first(0, sentNames(request)[0] ?? ''), OWN)
    expect((await desk.run('Go')).ended).toBe('error')
    expect([desk.model.requests.length, warnings(desk)]).toEqual([1, []])
  })
})

test('a refusal of a message that mentions a tool leaves no tool out', { timeout: 60_000 }, async () => {
  const [way] = WAYS
  if (!way) throw new Error('There is no way.')
  const desk = await openDesk(way, () => invalid(`Invalid value for 'input[3].name': the function 'mcp__maps__route' was not found`), OWN)
  expect((await desk.run('Go')).ended).toBe('error')
  expect(warnings(desk)).toEqual([])
})

test('a refused tool is offered again to another model, but not to the model that refused it', { timeout: 60_000 }, async () => {
  const way = WAYS.find(({ provider }) => provider === 'anthropic')
  if (!way) throw new Error('There is no way.')
  const desk = await openDesk(way, refusing(['mcp__maps__odd'], FORMS.anthropic['by its place'] ?? (() => say(''))), OWN)
  await desk.run('Go')
  desk.session.configure({ model: 'claude-opus-5-5' })
  await desk.run('Again')
  desk.session.configure({ model: way.model })
  await desk.run('And again')
  expect(warnings(desk)).toEqual(['mcp__maps__odd', 'mcp__maps__odd'])
  expect([0, 1, 2, 3, 4].map((index) => mapsIn(desk, index).length)).toEqual([4, 3, 4, 3, 3])
})

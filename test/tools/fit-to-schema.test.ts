import { expect, test } from 'vitest'
import type { RunContext } from '../../main/agent/ports/tool.ts'
import { executorTool } from '../../main/embed/tools/executor-tool.ts'
import { createMcpTool } from '../../main/mcp/mcp-tool.ts'
import { fitToSchema } from '../../main/tools/define/fit-to-schema.ts'
import { refusalOf } from './workbench.ts'

const SCHEMA = { type: 'object', properties: { query: { type: 'string' }, max_results: { type: 'integer' } }, required: ['query'] }
const TAKES = 'It takes query, max_results?.'

test.each([
  ['a listed name is kept', { query: 'a', max_results: 2 }, { query: 'a', max_results: 2 }, null],
  ['a name in another style is replaced', { query: 'a', maxResults: 2 }, { query: 'a', max_results: 2 }, null],
  ['another name of the limit is replaced', { query: 'a', limit: 2 }, { query: 'a', max_results: 2 }, null],
  ['a given limit is not replaced', { query: 'a', max_results: 2, limit: 3 }, { query: 'a', max_results: 2, limit: 3 }, 'limit'],
  ['two names of one limit are both kept', { query: 'a', limit: 2, count: 3 }, { query: 'a', limit: 2, count: 3 }, 'limit, count'],
  ['an unknown name is kept and named', { query: 'a', fuzzy: true }, { query: 'a', fuzzy: true }, 'fuzzy'],
])('%s', (_, given, args, unknown) => {
  const note = unknown === null ? null : `The tool lists no argument ${unknown}, so it may have had no effect. ${TAKES}`
  expect(fitToSchema<unknown>(SCHEMA, given)).toEqual({ args, note })
})

test.each([
  ['has no properties', {}],
  ['allows other names', { ...SCHEMA, additionalProperties: true }],
  ['describes other names', { ...SCHEMA, additionalProperties: { type: 'string' } }],
  ['has alternatives', { ...SCHEMA, anyOf: [{ properties: { limit: {} } }] }],
])('nothing is replaced or named if the schema %s', (_, schema) => {
  expect(fitToSchema<unknown>(schema, { limit: 2 })).toEqual({ args: { limit: 2 }, note: null })
})

const RUN = { signal: new AbortController().signal, env: {} } as unknown as RunContext

test('the model is told about an unknown argument of an MCP tool, and the server and the request get the listed names', async () => {
  const sent: unknown[] = []
  const tool = createMcpTool({ server: 's', tool: { name: 't', description: '', schema: SCHEMA } }, 'mcp__s__t', (args) => {
    sent.push(args)
    return Promise.resolve({ content: [{ kind: 'text', text: 'Found.' }], structured: null, isError: false })
  })
  const prepared = await tool.prepare({ query: 'a', limit: 2, fuzzy: true }, {} as never)
  if (prepared.kind !== 'ready') throw new Error('It was rejected.')
  const shown = prepared.effects[0]?.kind === 'unknown' ? prepared.effects[0].tool?.arguments : undefined
  expect(JSON.parse(shown ?? '')).toEqual({ query: 'a', max_results: 2, fuzzy: true })
  expect((await prepared.commit(RUN)).output).toContain('Found.')
  expect((await prepared.commit(RUN)).output).toContain(`The tool lists no argument fuzzy, so it may have had no effect. ${TAKES}`)
  expect(sent[0]).toEqual({ query: 'a', max_results: 2, fuzzy: true })
})

test.each([
  [{ ...SCHEMA, additionalProperties: false }, /fuzzy is not known here\..* It takes query, max_results\?\.$/u],
  [SCHEMA, null],
])('the model is told about an unknown argument of a host’s tool', async (parameters, refusal) => {
  const given: unknown[] = []
  const executor = (args: unknown): Promise<string> => {
    given.push(args)
    return Promise.resolve('Found.')
  }
  const tool = executorTool({ definition: { name: 'find', description: '', parameters }, executor, needsApproval: false })
  const validated = tool.validate({ query: 'a', maxResults: 2, fuzzy: true })
  if (refusal !== null) return expect(refusalOf(validated)).toMatch(refusal)
  if (!validated.ok) throw new Error(String(validated.failure))
  const prepared = await tool.prepare(validated.value, {} as never)
  if (prepared.kind !== 'ready') throw new Error('It was rejected.')
  expect((await prepared.commit(RUN)).output).toContain('The tool lists no argument fuzzy')
  expect(given).toEqual([{ query: 'a', max_results: 2, fuzzy: true }])
})

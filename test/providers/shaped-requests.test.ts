import { expect, test } from 'vitest'
import { buildRequest } from '../driver/offline/build-request.ts'
import { historySchema } from '../driver/offline/given-history.ts'
import type { WireName } from '../driver/offline/provider-over-transport.ts'

/** How a request describes the shape of its answer in each vendor's format (L-27). */
const SHAPE = {
  name: 'plan',
  schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
}
const TOOL = { name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: {} } }
const HISTORY = historySchema.parse([{ kind: 'user', content: 'Go' }])

async function asked(provider: WireName, model: string, effort: 'low' | 'high' | null = null): Promise<Readonly<Record<string, unknown>>> {
  const options = { model, effort, answerShape: SHAPE }
  return (await buildRequest({ provider, history: HISTORY, tools: [TOOL], options })).body as Readonly<Record<string, unknown>>
}

test('OpenAI Responses: a strict text format', async () => {
  const { text, tools } = await asked('openai-responses', 'gpt-5.5')
  expect(text).toEqual({ format: { type: 'json_schema', name: 'plan', schema: SHAPE.schema, strict: true } })
  expect(tools).toHaveLength(1)
})

test('Chat Completions: a strict response format', async () => {
  const { response_format } = await asked('openai-chat', 'qwen3-coder')
  expect(response_format).toEqual({ type: 'json_schema', json_schema: { name: 'plan', schema: SHAPE.schema, strict: true } })
})

test('Gemini: a JSON schema with reasoning and tools, but without tools for an older model, which refuses a schema together with tools', async () => {
  const newer = await asked('gemini', 'gemini-3.8-flash', 'low')
  const told = { responseMimeType: 'application/json', responseJsonSchema: SHAPE.schema }
  expect(newer['generationConfig']).toEqual({ thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' }, ...told })
  expect(newer['tools']).toHaveLength(1)
  const older = await asked('gemini', 'gemini-2.0-flash')
  expect([older['generationConfig'], older['tools']]).toEqual([told, undefined])
})

test('Anthropic: an output format, with the effort', async () => {
  const { output_config, tool_choice } = await asked('anthropic', 'claude-opus-5-5', 'high')
  expect(output_config).toEqual({ effort: 'high', format: { type: 'json_schema', schema: SHAPE.schema } })
  expect(tool_choice).toBeUndefined()
})

test.each(['claude-3-5-haiku-20241022', 'some-other-model'])('Anthropic, %s: a required tool call, without reasoning', async (model) => {
  const { tools, tool_choice, thinking, output_config } = await asked('anthropic', model, 'high')
  expect((tools as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual(['read_file', 'plan'])
  expect((tools as readonly { readonly input_schema: unknown }[])[1]?.input_schema).toEqual(SHAPE.schema)
  expect([tool_choice, thinking, output_config]).toEqual([{ type: 'tool', name: 'plan' }, undefined, undefined])
})

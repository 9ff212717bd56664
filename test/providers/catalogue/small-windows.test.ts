import { expect, test } from 'vitest'
import { sessionRun, sessionRunArguments } from '../../driver/program/session-run.ts'
import { modelServerWith } from '../../support/model-server-with.ts'
import { say } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const MODEL = 'qwen-small'
const OLLAMA = { model_info: { 'qwen.context_length': 131_072 }, parameters: 'temperature 0.7' }

/** Runs one task with the entire app over a server with these answers. */
async function ran(answers: Readonly<Record<string, unknown>>, task: string | readonly string[] = 'Look around', more: object = {}) {
  const { url, model, asked } = await modelServerWith(answers, () => say('Done.'))
  const given = { provider: 'openai-compatible', model: MODEL, mode: 'full', baseUrl: `${url}/v1`, task, ...more }
  const run = await sessionRun(temporaryFolder('windows'), sessionRunArguments.parse(given), AbortSignal.timeout(60_000))
  return { run, asked, requests: model.requests.map(({ json }) => json) }
}

const toolsIn = ({ requests }: Awaited<ReturnType<typeof ran>>): readonly object[] => {
  const [first] = requests as readonly { readonly tools?: readonly object[] }[]
  return first?.tools ?? []
}
const warnings = ({ events }: Awaited<ReturnType<typeof ran>>['run']) =>
  events.flatMap((event) => (event.kind === 'WARNING' ? [event.trouble] : []))

test.each<[string, Readonly<Record<string, unknown>>, string, string]>([
  ['Ollama', { '/api/show': OLLAMA, '/api/ps': { models: [{ name: MODEL, context_length: 4_096 }] } }, '4,096', 'OLLAMA_CONTEXT_LENGTH'],
  ['llama.cpp', { '/props': { default_generation_settings: { n_ctx: 8_192 } } }, '8,192', '--ctx-size'],
  ['vLLM', { '/v1/models': { data: [{ id: MODEL, max_model_len: 8_192 }] } }, '8,192', '--max-model-len'],
])('%s with a small window: the ledger warns once, and tools and prompt together fit in 2,500 tokens', async (_, answers, size, flag) => {
  const { run, requests } = await ran(answers, ['Look around', 'And again'])
  expect(warnings(run)).toMatchObject([
    { code: 'window_small', what: expect.stringContaining(size) as unknown, todo: expect.stringContaining(flag) as unknown },
  ])
  const [{ messages = [], tools = [] } = {}] = requests as readonly { messages?: readonly object[]; tools?: readonly object[] }[]
  expect(tools).toHaveLength(6)
  // A token counts as four characters. The user's own message, which is the last one, is not counted.
  expect((JSON.stringify(tools).length + JSON.stringify(messages.slice(0, -1)).length) / 4).toBeLessThan(2_500)
})

test('a server with a large window gets the full prompt and all tools, without a warning', async () => {
  const whole = await ran({ '/props': { default_generation_settings: { n_ctx: 65_536 } } })
  expect(warnings(whole.run)).toEqual([])
  expect(toolsIn(whole).length).toBeGreaterThan(10)
})

test('--context-window overrides the server’s value, and a small window gets the short prompt', async () => {
  const wide = await ran({ '/props': { n_ctx: 4_096 } }, 'Look around', { contextWindowSize: 65_536 })
  const small = await ran({}, 'Look around', { contextWindowSize: 8_000 })
  expect([toolsIn(wide).length > 10, warnings(wide.run), toolsIn(small).length]).toEqual([true, [], 6])
})

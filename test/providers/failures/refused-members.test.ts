import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Provider } from '../../../main/agent/ports/provider.ts'
import { STREAM_LIMITS } from '../../../main/providers/http/exchange.ts'
import { createLearned, type Learned } from '../../../main/providers/catalogue/learned-from-refusals.ts'
import { createRemote, type RemoteProviderId } from '../../../main/providers/providers.ts'
import { refusedMember } from '../../../main/providers/failures/refused-member.ts'
import { systemClock } from '../../../main/environment/system-clock.ts'
import { jsonDataFile } from '../../../main/settings/json-data-file.ts'
import type { RequestOptions } from '../../../shared/session/settings/request-options.ts'
import { collected, request } from '../../support/collected.ts'
import { httpError, say, type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

type Refuses = (json: Readonly<Record<string, unknown>>) => readonly [param: string, words: string] | null

/** Starts a service that refuses the members in `refuses` and accepts everything else. */
async function serviceThat(refuses: Refuses): Promise<ScriptedModel> {
  const model = await startScriptedModel(({ json }) => {
    const refused = refuses(json)
    if (!refused) return say('Hello.')
    const [param, message] = refused
    const error = { message, type: 'invalid_request_error', param, code: 'unsupported_value' }
    return { kind: 'raw', status: 400, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) }
  })
  onTestFinished(() => model.close())
  return model
}

const BASE: Readonly<Record<RemoteProviderId, string>> = { anthropic: '', openai: '/v1', gemini: '', 'openai-compatible': '/v1' }

function open(id: RemoteProviderId, model: ScriptedModel, parts: { learned?: Learned; extra?: RequestOptions } = {}): Provider {
  const key = () => Promise.resolve('secret-key-0000')
  const provider = createRemote(id, {
    label: 'The service',
    baseUrl: `${model.url}${BASE[id]}`,
    key,
    clock: systemClock,
    limits: STREAM_LIMITS,
    ...(parts.learned && { learned: parts.learned }),
    ...(parts.extra && { extra: () => parts.extra ?? {} }),
  })
  onTestFinished(() => provider.close())
  return provider
}

const ask = (provider: Provider, model: string) =>
  collected(provider.stream(request(model, { effort: 'high' }), new AbortController().signal))

const has = (json: unknown, path: string): boolean =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], json) !== undefined

describe('if a field is refused, the request is repeated once without it, and the user is informed once (P1)', () => {
  test.each<[RemoteProviderId, string, string, string, string]>([
    [
      'openai',
      'gpt-5.6-sol',
      'reasoning.summary',
      'reasoning.summary',
      'Your organization must be verified to generate reasoning summaries.',
    ],
    ['openai', 'gpt-5.6-sol', 'reasoning.effort', '', "Unsupported parameter: 'reasoning.effort' is not supported with this model."],
    ['openai', 'gpt-5.6-sol', 'store', '', "Unknown parameter: 'store'."],
    ['openai', 'gpt-5.6-sol', 'prompt_cache_key', '', 'prompt_cache_key: Extra inputs are not permitted'],
    ['openai-compatible', 'gpt-5.4', 'stream_options', '', '[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]'],
    ['openai-compatible', 'gpt-5.4', 'reasoning_effort', 'reasoning_effort', 'Unrecognized request argument supplied: reasoning_effort'],
    ['anthropic', 'claude-opus-5-5', 'output_config.effort', '', 'This model does not support the effort parameter.'],
    ['anthropic', 'claude-opus-5-5', 'thinking', '', 'adaptive thinking is not supported on this model'],
    [
      'gemini',
      'gemini-3.8-flash',
      'generationConfig.thinkingConfig.thinkingLevel',
      '',
      'Unknown name "thinkingLevel" at \'generation_config.thinking_config\': Cannot find field.',
    ],
    ['gemini', 'gemini-3.8-flash', 'generationConfig.thinkingConfig.thinkingLevel', '', 'Thinking level is not supported for this model.'],
  ])('%s, %s: %s', async (id, name, member, param, words) => {
    const model = await serviceThat((json) => (has(json, member) ? [param, words] : null))
    const provider = open(id, model)
    const first = await ask(provider, name)
    expect([first.text, model.requests.length]).toEqual(['Hello.', 2])
    const notices = first.events.flatMap((event) => (event.kind === 'notice' ? [event.trouble] : []))
    expect(notices).toMatchObject([{ code: 'member_left_out', what: expect.stringContaining(`“${member}”`) as unknown }])
    const second = await ask(provider, name)
    expect([second.text, model.requests.length]).toEqual(['Hello.', 3])
    expect(second.events.filter(({ kind }) => kind === 'notice')).toEqual([])
    const [whole, without] = model.requests.map(({ json }) => json)
    expect([has(whole, member), has(without, member)]).toEqual([true, false])
  })

  test('two refused fields need two repeated requests, and both fields are still sent to other models', async () => {
    const model = await serviceThat((json) =>
      json['model'] === 'gpt-6-sol'
        ? null
        : has(json, 'reasoning.summary')
          ? ['reasoning.summary', 'No.']
          : has(json, 'store')
            ? ['store', 'No.']
            : null,
    )
    const provider = open('openai', model)
    expect((await ask(provider, 'gpt-5.6-sol')).events.filter(({ kind }) => kind === 'notice')).toHaveLength(2)
    await ask(provider, 'gpt-6-sol')
    expect([model.requests.length, has(model.requests.at(-1)?.json, 'reasoning.summary')]).toEqual([4, true])
  })

  test('a refused field is remembered across restarts and tried again after a week', async () => {
    const folder = temporaryFolder('learned')
    const model = await serviceThat((json) => (has(json, 'reasoning.summary') ? ['reasoning.summary', 'Not verified.'] : null))
    let now = 1_000
    const learned = (): Learned => createLearned(() => now, jsonDataFile(folder))
    await ask(open('openai', model, { learned: learned() }), 'gpt-5.6-sol')
    await ask(open('openai', model, { learned: learned() }), 'gpt-5.6-sol')
    expect(model.requests).toHaveLength(3)
    now += 8 * 86_400_000
    await ask(open('openai', model, { learned: learned() }), 'gpt-5.6-sol')
    expect(model.requests).toHaveLength(5)
    expect(await readFile(join(folder, 'services.json'), 'utf8')).not.toContain('secret-key')
  })

  test('a request that is refused for another reason is not repeated', async () => {
    const model = await startScriptedModel(() => httpError(400, 'invalid_request_error', 'messages.1: tool_use ids must be unique'))
    onTestFinished(() => model.close())
    const { failure } = await ask(open('anthropic', model), 'claude-opus-5-5')
    expect([failure?.code, model.requests.length]).toEqual(['invalid_request', 1])
  })

  test('if a service refuses every variant, its own message is shown', async () => {
    const model = await serviceThat(() => ['reasoning.summary', 'No, never.'])
    const { failure } = await ask(open('openai', model), 'gpt-5.6-sol')
    expect([failure?.code, model.requests.length]).toEqual(['invalid_request', 2])
  })

  test('if a gateway refuses cache marks, all of them are removed', async () => {
    const model = await serviceThat((json) =>
      JSON.stringify(json).includes('cache_control') ? ['', 'cache_control: Extra inputs are not permitted'] : null,
    )
    const { text } = await ask(open('openai-compatible', model), 'anthropic/claude-sonnet-4.6')
    expect([text, model.requests.length]).toEqual(['Hello.', 2])
  })

  test.each([
    'max_tokens: must be greater than thinking.budget_tokens',
    'messages.1.content.0: Expected `thinking`, but found `tool_use`. Unknown.',
    'The store is not available',
    'Please include text that is not empty; it is not supported',
  ])('a message that names no field is not a field refusal: %s', (message) => {
    const error = Object.assign(new Error(message), { status: 400, error: { error: { message } } })
    expect(refusedMember(error, '{"model":"m","store":false,"include":[],"thinking":{"type":"adaptive"},"messages":[]}')).toBeNull()
  })
})

describe('request options that the user sets for a provider (L-12, L-21, S9)', () => {
  test('add beta headers and body fields', async () => {
    const model = await serviceThat(() => null)
    const extra = { betaHeaders: ['context-1m-2025-08-07'], body: { metadata: { user_id: 'u' } } }
    await ask(open('anthropic', model, { extra }), 'claude-opus-5-5')
    const [sent] = model.requests
    expect([sent?.headers['anthropic-beta'], sent?.json['metadata']]).toEqual(['context-1m-2025-08-07', { user_id: 'u' }])
    expect(sent?.json['messages']).toHaveLength(1)
  })

  test('auto_cache = false removes all cache marks', async () => {
    const model = await serviceThat(() => null)
    await ask(open('anthropic', model, { extra: { autoCache: false } }), 'claude-opus-5-5')
    await ask(open('anthropic', model), 'claude-opus-5-5')
    expect(model.requests.map(({ bytes }) => bytes.toString().includes('cache_control'))).toEqual([false, true])
  })

  test('set Gemini’s safety settings and grounding', async () => {
    const model = await serviceThat(() => null)
    const safetySettings = [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'BLOCK_NONE' }]
    await ask(open('gemini', model, { extra: { safetySettings, grounding: true } }), 'gemini-3.8-flash')
    expect(model.requests[0]?.json).toMatchObject({ safetySettings, tools: [{ googleSearch: {} }] })
  })
})

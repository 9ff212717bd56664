import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { ProviderFacts, SettingsState } from '../../shared/api/settings.ts'
import { httpError, say } from '../support/scripted-model.ts'
import { KEY, openDesk, type ServedDesk, staying, until } from './support/served-desk.ts'

const anthropic = ({ providers }: SettingsState): ProviderFacts | undefined => providers.find(({ provider }) => provider === 'anthropic')

/** Opens a window and resolves with the first settings that `look` accepts. */
async function shows(desk: ServedDesk, look: (state: SettingsState) => boolean = () => true): Promise<SettingsState> {
  const state = (await until(desk.window().settings.watch({}, staying()), look)).at(-1)
  if (!state) throw new Error('The settings ended.')
  return state
}

it('a change reaches every window and survives a restart', async () => {
  const desk = await openDesk()
  expect((await shows(desk)).settings).toMatchObject({ theme: 'system', textSize: 'normal' })
  const others = [1, 2].map(() => shows(desk, ({ settings }) => settings.theme === 'dark'))
  expect(await desk.client.settings.change({ theme: 'dark', maxRounds: 7 })).toEqual({ ok: true })
  for (const { settings } of await Promise.all(others)) expect(settings).toMatchObject({ theme: 'dark', maxRounds: 7, textSize: 'normal' })
  expect((await shows(await desk.again())).settings).toMatchObject({ theme: 'dark', maxRounds: 7, textSize: 'normal' })
})

it('says which provider needs a key: rehearsals never, compatible servers maybe, the others always', async () => {
  const desk = await openDesk()
  const keys = async () => Object.fromEntries((await shows(desk)).providers.map(({ provider, key }) => [provider, key]))
  expect(await keys()).toEqual({
    anthropic: 'not_set',
    openai: 'not_set',
    gemini: 'not_set',
    'openai-compatible': 'optional',
    rehearsal: 'not_needed',
  })
  await desk.client.settings.setKey({ provider: 'openai-compatible', key: KEY })
  expect((await keys())['openai-compatible']).toBe('set')
})

it('the address of a service can be set and removed without affecting the others', async () => {
  const desk = await openDesk()
  const { change } = desk.client.settings
  await change({ baseUrl: { provider: 'anthropic', url: 'http://127.0.0.1:1' } })
  await change({ baseUrl: { provider: 'openai', url: 'http://127.0.0.1:2' } })
  await change({ baseUrl: { provider: 'anthropic', url: null } })
  expect((await shows(desk)).settings.baseUrls).toEqual({ openai: 'http://127.0.0.1:2/v1' })
})

it('an invalid address is refused with a message, and the previous address is kept', async () => {
  const desk = await openDesk()
  const { change } = desk.client.settings
  await change({ baseUrl: { provider: 'anthropic', url: 'http://127.0.0.1:1' } })
  for (const url of ['127.0.0.1', 'http://model.example', 'https://a:b@model.example', 'https://model.example?key=x', '']) {
    const outcome = await change({ theme: 'dark', baseUrl: { provider: 'anthropic', url } })
    expect([url, outcome]).toEqual([url, { ok: false, trouble: expect.objectContaining({ code: 'base_url' }) }])
  }
  expect((await shows(desk)).settings).toMatchObject({ theme: 'system', baseUrls: { anthropic: 'http://127.0.0.1:1' } })
})

it('a key that the service refuses replaces the old key only after a confirmation', async () => {
  const desk = await openDesk(({ headers }) =>
    headers['x-api-key'] === KEY ? say('Yes.') : httpError(401, 'authentication_error', 'invalid x-api-key'),
  )
  await desk.client.settings.change({ baseUrl: { provider: 'anthropic', url: desk.model.url } })
  const { tryKey, setKey } = desk.client.settings
  expect(await tryKey({ provider: 'anthropic', key: ` ${KEY}\n` })).toEqual({ kind: 'kept', ms: expect.any(Number) })
  expect(await tryKey({ provider: 'anthropic', key: 'sk-ant-wrong-9999' })).toEqual({
    kind: 'not_kept',
    why: 'refused',
    trouble: expect.objectContaining({ code: 'authentication' }),
  })
  expect(await tryKey({ provider: 'anthropic', key: 'two words' })).toMatchObject({ kind: 'not_kept', trouble: { code: 'not_a_key' } })
  expect(anthropic(await shows(desk))).toMatchObject({ key: 'set', ending: '4321' })
  await setKey({ provider: 'anthropic', key: 'sk-ant-wrong-9999' })
  expect(anthropic(await shows(desk))).toMatchObject({ key: 'set', ending: '9999' })
})

it('a key that could not be tested is not kept, and is not reported as refused', async () => {
  const desk = await openDesk()
  await desk.client.settings.change({ baseUrl: { provider: 'anthropic', url: 'http://127.0.0.1:1' } })
  expect(await desk.client.settings.tryKey({ provider: 'anthropic', key: KEY })).toMatchObject({ kind: 'not_kept', why: 'untested' })
  expect(anthropic(await shows(desk))?.key).toBe('not_set')
})

it('an invalid setting is refused, and changes nothing', async () => {
  const desk = await openDesk()
  const before = await shows(desk)
  await expect(desk.client.settings.change({ maxRounds: 0 })).rejects.toMatchObject({ code: 'invalid_input' })
  expect(await shows(desk)).toEqual(before)
})

it('only the last characters of a key are ever shown, and no file of the data folder contains the key', async () => {
  const desk = await openDesk()
  const seen: string[] = []
  const gone = until(desk.window().settings.watch({}, staying()), (state) => {
    seen.push(JSON.stringify(state))
    return anthropic(state)?.key === 'not_set' && seen.some((text) => text.includes('4321'))
  })
  const set = shows(desk, (state) => anthropic(state)?.key === 'set')
  expect(await desk.client.settings.setKey({ provider: 'anthropic', key: KEY })).toEqual({ ok: true })
  expect(anthropic(await set)).toMatchObject({ key: 'set', ending: '4321', keptIn: 'memory' })
  const files = readdirSync(desk.data, { recursive: true, encoding: 'utf8' }).map((name) => join(desk.data, name))
  const texts = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'latin1'))
  expect([texts.length > 0, texts.some((text) => text.includes(KEY))]).toEqual([true, false])
  expect(await desk.client.settings.setKey({ provider: 'anthropic', key: null })).toEqual({ ok: true })
  await gone
  expect(seen.some((text) => text.includes(KEY))).toBe(false)
})

it('a key is tested with one request, and a refusal is reported without the key', async () => {
  const desk = await openDesk([say('Hello.')])
  await desk.client.settings.change({ baseUrl: { provider: 'anthropic', url: desk.model.url } })
  expect(await desk.client.settings.testKey({ provider: 'anthropic' })).toMatchObject({ kind: 'failed' })
  expect(desk.model.requests).toEqual([])
  await desk.client.settings.setKey({ provider: 'anthropic', key: KEY })
  expect(await desk.client.settings.testKey({ provider: 'anthropic' })).toEqual({ kind: 'works', ms: expect.any(Number) })
  expect([desk.model.requests.length, desk.bugs]).toEqual([1, []])
})

it('an answer that stalls for longer than the idle limit in the settings is abandoned (L-26)', async () => {
  const desk = await openDesk(() => new Promise(() => {}))
  await desk.client.settings.change({ idleLimitMs: 1000, baseUrl: { provider: 'anthropic', url: desk.model.url } })
  await desk.client.settings.setKey({ provider: 'anthropic', key: KEY })
  expect(await desk.client.settings.testKey({ provider: 'anthropic' })).toMatchObject({ kind: 'failed', trouble: { code: 'idle' } })
  expect(desk.model.requests.length).toBe(1)
})

it('in new sessions a model’s own effort overrides the general effort', async () => {
  const desk = await openDesk()
  await desk.client.settings.change({
    effort: 'low',
    provider: 'anthropic',
    model: 'claude-haiku-4-5',
    modelFacts: { 'anthropic/claude-haiku-4-5': { effort: 'high' } },
  })
  const effortOf = async (model: string): Promise<unknown> => {
    const created = await desk.client.sessions.create({ folder: desk.folder, provider: 'anthropic', model })
    if (!created.ok) throw new Error(created.trouble.what)
    for await (const item of desk.client.sessions.open({ sessionId: created.sessionId, cursor: null }, staying()))
      if (item.kind === 'snapshot') return item.state.config.effort
    throw new Error('The session ended.')
  }
  await desk.session()
  expect(await effortOf('claude-haiku-4-5')).toBe('high')
  expect(await effortOf('claude-sonnet-4-6')).toBe('low')
})

it('says whether a list of models is built in, or when it was fetched', async () => {
  const before = Date.now()
  const desk = await openDesk()
  const built = (await shows(desk)).providers.map(({ provider, models, modelList }) => [
    provider,
    models.length > 0,
    modelList?.source ?? null,
  ])
  expect(built).toEqual([
    ['anthropic', true, 'built-in'],
    ['openai', true, 'built-in'],
    ['gemini', true, 'built-in'],
    ['openai-compatible', false, null],
    ['rehearsal', true, 'built-in'],
  ])
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: [{ id: 'claude-next', display_name: 'Claude Next', type: 'model' }], has_more: false }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  await desk.client.settings.change({ baseUrl: { provider: 'anthropic', url: `http://127.0.0.1:${port}` } })
  await desk.client.settings.setKey({ provider: 'anthropic', key: KEY })
  const asked = await shows(desk, (state) => anthropic(state)?.modelList?.source === 'service')
  expect(anthropic(asked)?.modelList?.atMs).toBeGreaterThanOrEqual(before)
})

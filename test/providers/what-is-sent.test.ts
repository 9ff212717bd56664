import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createRemote, type RemoteProviderId } from '../../main/providers/providers.ts'
import { STREAM_LIMITS } from '../../main/providers/http/exchange.ts'
import { systemClock } from '../../main/environment/system-clock.ts'
import { collected, request } from '../support/collected.ts'
import { say, startScriptedModel } from '../support/scripted-model.ts'

afterEach(() => vi.unstubAllEnvs())

const SECRETS = {
  OPENAI_ADMIN_KEY: 'sk-admin-1234567',
  OPENAI_WEBHOOK_SECRET: 'whsec-1234567',
  OPENAI_API_KEY: 'sk-env-1234567',
  GOOGLE_API_KEY: 'AIza-env-1234567',
}

/** Returns the one request that a provider sends, including anything that the environment might add to it. */
async function sent(provider: RemoteProviderId, path: string, key: string | null) {
  for (const [name, value] of Object.entries({ ...SECRETS, OPENAI_ORG_ID: 'org-1', OPENAI_PROJECT_ID: 'proj-1' })) vi.stubEnv(name, value)
  const model = await startScriptedModel([say('Hello')])
  onTestFinished(() => model.close())
  const label = 'The service'
  const remote = createRemote(provider, {
    label,
    baseUrl: `${model.url}${path}`,
    key: () => Promise.resolve(key),
    clock: systemClock,
    limits: STREAM_LIMITS,
  })
  onTestFinished(() => remote.close())
  expect((await collected(remote.stream(request('m'), new AbortController().signal))).text).toBe('Hello')
  const [only] = model.requests
  if (!only) throw new Error('Nothing was sent.')
  const { headers } = only
  return { headers, all: `${only.path} ${JSON.stringify(headers)} ${new TextDecoder().decode(only.bytes)}` }
}

test.each([
  ['anthropic', '', 'x-api-key', 'the-key-1234'],
  ['openai', '/v1', 'authorization', 'Bearer the-key-1234'],
  ['openai-compatible', '/v1', 'authorization', 'Bearer the-key-1234'],
  ['gemini', '', 'x-goog-api-key', 'the-key-1234'],
] as const)('%s gets its own key in its header, and no other key from the environment', async (provider, path, header, value) => {
  const { headers, all } = await sent(provider, path, 'the-key-1234')
  expect(headers[header]).toBe(value)
  for (const secret of Object.values(SECRETS)) expect(all).not.toContain(secret)
  expect(all.split(' ')[0]).not.toContain('the-key-1234')
})

test('organization and project from the environment are sent to OpenAI, and to nobody else (L-02)', async () => {
  expect((await sent('openai', '/v1', 'the-key-1234')).headers).toMatchObject({
    'openai-organization': 'org-1',
    'openai-project': 'proj-1',
  })
  expect((await sent('openai-compatible', '/v1', 'the-key-1234')).all).not.toMatch(/org-1|proj-1/)
})

test('no key is sent to a server for which none is set (D-49)', async () => {
  const { headers, all } = await sent('openai-compatible', '/v1', null)
  expect(headers['authorization']).toBeUndefined()
  for (const secret of Object.values(SECRETS)) expect(all).not.toContain(secret)
})

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Provider } from '../../main/agent/ports/provider.ts'
import { createProviders, type ProvidersParts } from '../../main/providers/providers.ts'
import { makeSample } from '../../main/providers/rehearsal/make-sample.ts'
import { SAMPLE_FILES } from '../../main/providers/rehearsal/sample-files.ts'
import { nodeForTests } from '../../main/providers/rehearsal/node-for-sample-tests.ts'
import { readTestRun, testCommand } from '../../main/providers/rehearsal/sample-test-run.ts'
import { systemClock } from '../../main/environment/system-clock.ts'
import { testKey } from '../../main/providers/test-key.ts'
import { collected, request } from '../support/collected.ts'
import { manualClock } from '../support/manual-clock.ts'
import { gate, httpError, say, type Script, startScriptedModel } from '../support/scripted-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function opened(parts: Partial<ProvidersParts> = {}) {
  const providers = createProviders({ clock: systemClock, key: () => Promise.resolve('key'), rehearsalPaceMs: 0, ...parts })
  onTestFinished(() => providers.close())
  return providers
}

async function scripted(script: Script, parts: Partial<ProvidersParts> = {}): Promise<Provider> {
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  const found = opened(parts).get('anthropic', model.url)
  if (!found.ok) throw new Error(found.failure.message)
  return found.value
}

describe('the provider for a request', () => {
  test('is shared, with its connections, by sessions with the same address', () => {
    const providers = opened()
    const get = (url: string | null) => providers.get('anthropic', url)
    expect(get(null)).toEqual(get('https://api.anthropic.com/v1/'))
    expect(get('https://other.example')).not.toEqual(get(null))
  })

  test.each([
    ['openai-compatible', null, 'OpenAI-compatible server: no address is set'],
    ['gemini', 'https://x.example/v1beta', 'without a path'],
    ['anthropic', 'http://far.example', 'only for this computer'],
    ['anthropic', 'nonsense', 'is not a web address'],
  ] as const)('%s at %s is an error in the settings', (id, url, why) => {
    const found = opened().get(id, url)
    expect(found).toMatchObject({ ok: false, failure: { code: 'configuration', retryable: false } })
    expect(found.ok ? '' : found.failure.message).toContain(why)
  })

  test('if a key is set between two requests, uses it for the second', async () => {
    let key: string | null = null
    const provider = await scripted([say('Hello')], { key: () => Promise.resolve(key) })
    const ask = () => collected(provider.stream(request('claude-sonnet-5-5'), new AbortController().signal))
    expect((await ask()).failure?.cause).toBe('no_key')
    key = 'sk-ant-now'
    expect((await ask()).text).toBe('Hello')
  })

  test('needs no key or network for the rehearsal, and closing the providers closes the rehearsal’s server', async () => {
    const providers = opened({ key: () => Promise.resolve(null) })
    const found = providers.get('rehearsal', null)
    if (!found.ok) throw new Error(found.failure.message)
    const servers = new Set<Server>()
    const note = (message: unknown): unknown => servers.add((message as { server: Server }).server)
    subscribe('http.server.request.start', note)
    onTestFinished(() => void unsubscribe('http.server.request.start', note))
    const answer = await collected(found.value.stream(request('rehearsal'), new AbortController().signal))
    expect(answer.answer?.stopReason).toBe('tool_calls')
    expect([...servers].map(({ listening }) => listening)).toEqual([true])
    await providers.close()
    expect([...servers].map(({ listening }) => listening)).toEqual([false])
  })
})

describe('testing a key', () => {
  test('a key is valid as soon as the service begins to answer', async () => {
    const provider = await scripted([say('Yes.', { delivery: { stops: [{ at: 300, next: 'stall' }] } })])
    expect(await testKey(provider, 'claude-sonnet-5-5', manualClock())).toEqual({ kind: 'works', ms: 0 })
  })

  test('a wrong key is reported without showing it', async () => {
    const provider = await scripted([httpError(401, 'authentication_error', 'invalid x-api-key: sk-ant-verysecretkey')], {
      key: () => Promise.resolve('sk-ant-verysecretkey'),
    })
    const result = await testKey(provider, 'claude-sonnet-5-5', manualClock())
    expect(result).toMatchObject({
      kind: 'failed',
      trouble: { code: 'authentication', kept: 'The stored keys are unchanged.', todo: 'Enter another key in Settings, then test again.' },
    })
    expect(JSON.stringify(result)).not.toContain('verysecret')
  })

  test('a service that does not answer is abandoned after thirty seconds', async () => {
    const clock = manualClock()
    const provider = await scripted([say('never', { delivery: { hold: gate().opened } })])
    const result = testKey(provider, 'claude-sonnet-5-5', clock)
    await clock.sleeper(30_000)
    await clock.advance(30_000)
    expect(await result).toMatchObject({ kind: 'failed', trouble: { code: 'timeout' } })
  })
})

describe('the sample project of the rehearsal', () => {
  test('each copy is a separate folder with all files', async () => {
    const parent = temporaryFolder('samples')
    const first = await makeSample(join(parent, 'new'))
    const second = await makeSample(join(parent, 'new'))
    expect(first).not.toBe(second)
    for (const [path, content] of Object.entries(SAMPLE_FILES)) expect(await readFile(join(first, path), 'utf8')).toBe(content)
  })

  test.each([
    [{ execPath: '/usr/bin/node', isElectron: false, platform: 'linux' }, '/usr/bin/node --test --test-reporter=spec'],
    [{ execPath: '/opt/my apps/node', isElectron: false, platform: 'darwin' }, '"/opt/my apps/node" --test --test-reporter=spec'],
    [
      { execPath: 'C:\\Apps\\App.exe', isElectron: true, platform: 'win32' },
      'set ELECTRON_RUN_AS_NODE=1&& "C:\\Apps\\App.exe" --test --test-reporter=spec',
    ],
  ] as const)('its tests run in our own executable: %o', (facts, command) => {
    expect(testCommand(facts)).toBe(command)
  })

  test('a packaged app runs the tests itself only on Windows and otherwise needs a Node on PATH', async () => {
    const folder = temporaryFolder('node')
    const app = { execPath: '/opt/Countersign/app', isElectron: true, platform: 'linux' } as const
    expect(nodeForTests(app, folder)).toBe(null)
    await writeFile(join(folder, 'node'), '', { mode: 0o755 })
    expect(nodeForTests(app, `/nowhere:${folder}`)).toEqual({ ...app, execPath: join(folder, 'node'), isElectron: false })
    const onWindows = { ...app, platform: 'win32' } as const
    expect(nodeForTests(onWindows, folder)).toBe(onWindows)
  })

  test('the test output is parsed', () => {
    expect(readTestRun('✔ a (1ms)\nℹ tests 8\nℹ pass 8\nExit code: 0 (300 ms)')).toEqual({ kind: 'passed', passed: 8 })
    const failed =
      '✖ text that is not a date is rejected (0.9ms)\nℹ tests 8\n✖ failing tests:\n\ntest at test/day.test.js:11:1\n✖ text that is not a date is rejected (0.9ms)\nExit code: 1 (300 ms)'
    expect(readTestRun(failed)).toEqual({ kind: 'failed', names: ['text that is not a date is rejected'] })
    expect(readTestRun('bash: /nowhere/node: No such file or directory\nExit code: 127 (3 ms)')).toEqual({
      kind: 'broken',
      words: 'bash: /nowhere/node: No such file or directory',
    })
    expect(readTestRun('ℹ tests 0\nℹ pass 0\nExit code: 0 (90 ms)')).toEqual({ kind: 'broken', words: 'ℹ tests 0' })
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withEnvironmentKeys } from '../../main/settings/environment-keys.ts'
import { pendingSecrets } from '../../main/settings/pending-secrets.ts'
import { createMemorySecrets, type Secrets } from '../../main/settings/secrets.ts'
import { providerVariables } from '../../main/settings/provider-variables.ts'
import { openSettingsFile } from '../../main/settings/settings-file.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import { secretsConformance } from '../conformance/secrets.ts'
import { CONFIG, input, opened } from '../store/support/stores.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

secretsConformance('keys in memory', () => createMemorySecrets(), 'memory')
secretsConformance(
  'keys in memory, combined with an environment without keys',
  () => withEnvironmentKeys(createMemorySecrets(), () => ({})),
  'memory',
)

describe('a value set as a key', () => {
  it.each(['', '   ', 'sk-two\nlines', 'sk-with blank', 'sk-é'])(
    'must be valid: %j is refused with a message that does not repeat it',
    async (key) => {
      const secrets = withEnvironmentKeys(createMemorySecrets(), () => ({}))
      const set = await secrets.set('anthropic', key)
      expect(set).toMatchObject({ ok: false, failure: { code: 'not_a_key' } })
      expect(await secrets.get('anthropic')).toBeNull()
      if (key.trim() !== '') expect(JSON.stringify(set)).not.toContain(key.trim())
    },
  )

  it('loses surrounding whitespace', async () => {
    const secrets = withEnvironmentKeys(createMemorySecrets(), () => ({}))
    expect(await secrets.set('anthropic', ' sk-pasted\n')).toEqual({ ok: true, value: null })
    expect(await secrets.get('anthropic')).toBe('sk-pasted')
  })
})

describe('keys in environment variables (L-02, D-49)', () => {
  const env = {
    ANTHROPIC_API_KEY: 'sk-ant-environment',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    OPENAI_API_KEY: '  sk-openai  ',
    OPENAI_BASE_URL: 'http://127.0.0.1:2/v1',
    OPENAI_ORG_ID: 'org',
    OPENAI_PROJECT_ID: 'project',
    GOOGLE_API_KEY: 'google',
    OPENAI_COMPATIBLE_API_KEY: '',
  }

  it.each<[ProviderId, object]>([
    ['anthropic', { key: 'sk-ant-environment', baseUrl: 'http://127.0.0.1:1', organization: null, project: null }],
    ['openai', { key: 'sk-openai', baseUrl: 'http://127.0.0.1:2/v1', organization: 'org', project: 'project' }],
    ['gemini', { key: 'google', baseUrl: null, organization: null, project: null }],
    ['openai-compatible', { key: null, baseUrl: null, organization: null, project: null }],
    ['rehearsal', { key: null, baseUrl: null, organization: null, project: null }],
  ])('of %s are found under their names', (provider, expected) => {
    expect(providerVariables(provider, env)).toEqual(expected)
  })

  it('GEMINI_API_KEY takes precedence over GOOGLE_API_KEY', () => {
    expect(providerVariables('gemini', { GOOGLE_API_KEY: 'google', GEMINI_API_KEY: 'gemini' }).key).toBe('gemini')
  })

  it('are used while the user has not set a key', async () => {
    const secrets = withEnvironmentKeys(createMemorySecrets(), () => env)
    expect(await secrets.state('anthropic')).toEqual({ key: 'set', ending: 'ment', keptIn: 'environment' })
    expect(await secrets.get('anthropic')).toBe('sk-ant-environment')
    await secrets.set('anthropic', 'sk-ant-of-the-person')
    expect(await secrets.get('anthropic')).toBe('sk-ant-of-the-person')
    expect(await secrets.state('anthropic')).toEqual({ key: 'set', ending: 'rson', keptIn: 'memory' })
    await secrets.clear('anthropic')
    expect(await secrets.get('anthropic')).toBe('sk-ant-environment')
  })
})

it('a key from the environment does not wait for the keychain', async () => {
  const opening = Promise.withResolvers<Secrets>()
  const secrets = withEnvironmentKeys(pendingSecrets(opening.promise), () => ({ ANTHROPIC_API_KEY: 'sk-ant-environment' }))
  expect(await secrets.get('anthropic')).toBe('sk-ant-environment')
  const opened = createMemorySecrets()
  await opened.set('anthropic', 'sk-ant-of-the-person')
  opening.resolve(opened)
  await opening.promise
  expect(await secrets.get('anthropic')).toBe('sk-ant-of-the-person')
})

describe('fault 64: a canary key', () => {
  it('is never in a file of the data folder, whatever the store and the settings write', async () => {
    const canary = 'sk-canary-3f9b1c7d5e'
    const folder = tempFolder()
    const store = await opened(folder)
    const settings = openSettingsFile(folder)
    onTestFinished(() => settings.dispose())
    const secrets = createMemorySecrets()
    await secrets.set('anthropic', canary)
    settings.change({ provider: 'anthropic', baseUrls: { anthropic: 'http://127.0.0.1:1' } })
    const id = store.sessions.create({ cwd: '/w', ...CONFIG })
    store.log(id).append(input('hello'))
    store.blobs.put(Buffer.from(JSON.stringify(await secrets.state('anthropic'))))
    store.blobs.put(Buffer.alloc(100_000, 'x'))
    const holding = (needle: string): readonly string[] => {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      return files.map((entry) => join(entry.parentPath, entry.name)).filter((file) => readFileSync(file).includes(needle))
    }
    expect(holding(canary)).toEqual([])
    expect(holding('hello'), 'the search itself finds what is there').not.toEqual([])
    store.close()
    expect(holding(canary)).toEqual([])
  })
})

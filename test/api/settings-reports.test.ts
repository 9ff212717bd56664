import { expect, test } from 'vitest'
import { settingsHandlers } from '../../main/api/settings.ts'
import { createMemorySecrets } from '../../main/settings/secrets.ts'
import { openSettingsFile } from '../../main/settings/settings-file.ts'
import type { SettingsState } from '../../shared/api/settings.ts'
import { disposable } from '../../shared/lib/disposable.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a report of the settings that waits for the keys contains a change that was made meanwhile', async () => {
  const settings = openSettingsFile(temporaryFolder('settings-reports'))
  const secrets = createMemorySecrets()
  const opened = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const handlers = settingsHandlers({
    settings,
    secrets: {
      ...secrets,
      async state(provider) {
        asked.resolve()
        await opened.promise
        return secrets.state(provider)
      },
    },
    models: {
      facts: () => [{ provider: 'anthropic', label: 'Anthropic', baseUrl: null, available: true, models: [], modelList: null }],
      test: () => Promise.reject(new Error('Not asked here.')),
      localServers: () => Promise.resolve([]),
      refreshLists: () => Promise.resolve(),
      onListed: () => disposable(() => {}),
    },
  })
  const leaving = new AbortController()
  const reports = handlers.watch({}, { signal: leaving.signal } as Parameters<typeof handlers.watch>[1])[Symbol.asyncIterator]()
  const first = reports.next()
  await asked.promise
  expect(settings.change({ theme: 'dark' }).ok).toBe(true)
  opened.resolve()
  const { value } = (await first) as IteratorYieldResult<SettingsState>
  expect(value.settings.theme).toBe('dark')
  leaving.abort()
  settings.dispose()
})

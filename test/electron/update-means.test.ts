import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { stringify } from 'yaml'
import { updateMeans } from '../../main/electron/updates/electron-updater-source.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

it.each([
  ['win32', {}, 'none'],
  ['win32', { publisherName: ['Acme'] }, 'itself'],
  ['win32', { publisherName: 'Acme' }, 'itself'],
  ['darwin', {}, 'itself'],
] as const)('a %s build with a feed of %j updates: %s, because an unsigned setup could not be checked', (platform, signed, kind) => {
  const resources = temporaryFolder('means')
  writeFileSync(join(resources, 'app-update.yml'), stringify({ provider: 'generic', url: 'https://example.com', ...signed }))
  expect(updateMeans({ platform, isPackaged: true, resources, appImage: undefined }).kind).toBe(kind)
})

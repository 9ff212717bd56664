import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataFolder, dataFolderPath } from '../../main/store/data-folder.ts'
import { tempFolder } from './support/temp-folder.ts'
import { containing } from './support/matching.ts'

const home = '/home/u'

describe('the data folder', () => {
  it.each([
    ['--data DIR has the highest priority', { data: '/d', env: { COUNTERSIGN_HOME: '/c' }, platform: 'linux' }, '/d'],
    ['COUNTERSIGN_HOME overrides the platform’s folder', { env: { COUNTERSIGN_HOME: '/c', XDG_DATA_HOME: '/x' }, platform: 'linux' }, '/c'],
    ['XDG_DATA_HOME on Linux', { env: { XDG_DATA_HOME: '/x' }, platform: 'linux' }, '/x/countersign'],
    ['a relative XDG_DATA_HOME is ignored', { env: { XDG_DATA_HOME: 'x' }, platform: 'linux' }, '/home/u/.local/share/countersign'],
    [
      'an empty variable is ignored',
      { env: { COUNTERSIGN_HOME: '', XDG_DATA_HOME: '' }, platform: 'linux' },
      '/home/u/.local/share/countersign',
    ],
    ['Application Support on macOS', { env: {}, platform: 'darwin' }, '/home/u/Library/Application Support/Countersign'],
    ['APPDATA on Windows', { env: { APPDATA: 'C:\\U\\測試\\Roaming' }, platform: 'win32' }, 'C:\\U\\測試\\Roaming\\Countersign'],
  ])('%s', (_, options, expected) => {
    expect(dataFolderPath({ home, ...options })).toBe(expected)
  })

  it('is created with all parent folders, for its owner only', () => {
    const folder = join(tempFolder(), 'a b', 'é', 'data')
    expect(dataFolder({ data: folder })).toEqual({ ok: true, value: folder })
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it.runIf(process.platform === 'linux')('is refused in a place where no folder can be created', () => {
    expect(dataFolder({ data: '/proc/1/x/y' })).toMatchObject({ ok: false, failure: { what: containing('/proc/1/x') } })
  })

  it('is resolved to its real path, so that two names of one folder are one store', () => {
    const root = tempFolder()
    mkdirSync(join(root, 'real'))
    symlinkSync(join(root, 'real'), join(root, 'link'))
    expect(dataFolder({ data: join(root, 'link') })).toEqual({ ok: true, value: join(root, 'real') })
  })

  it('is reported with its path if it is a file', () => {
    const file = join(tempFolder(), 'file')
    writeFileSync(file, 'kept')
    expect(dataFolder({ data: file })).toMatchObject({ ok: false, failure: { what: containing(file) } })
  })
})

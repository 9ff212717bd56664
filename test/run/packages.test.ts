import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../bootstrap/temp-folder.ts'
import { missingCopyPackages } from './packages.ts'

describe('packages needed by the tests of copies', () => {
  test.each([
    ['no program is there', 'linux', [], ['bubblewrap', 'attr']],
    ['one is there', 'linux', ['one'], ['attr']],
    ['both are there', 'linux', ['one', 'two'], []],
    ['PATH is not set', 'linux', null, ['bubblewrap', 'attr']],
    ['the system has no copies', 'darwin', [], []],
  ])('%s', (_, platform, names, missing) => {
    const folder = tempFolder({ 'one/bwrap': '', 'two/getfattr': '' })
    const path = names?.map((name) => join(folder, name)).join(delimiter)
    expect(missingCopyPackages(platform, path)).toEqual(missing)
  })
})

import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../bootstrap/temp-folder.ts'
import { missingCopyPackages } from './packages.ts'

describe('missing packages that the tests of copies need', () => {
  test.each([
    ['both, if neither program is installed', 'linux', [], ['bubblewrap', 'attr']],
    ['one, if the other program is installed', 'linux', ['one'], ['attr']],
    ['none, if both programs are installed', 'linux', ['one', 'two'], []],
    ['both, if PATH is not set', 'linux', null, ['bubblewrap', 'attr']],
    ['none, if the system does not support copies', 'darwin', [], []],
  ])('%s', (_, platform, names, missing) => {
    const folder = tempFolder({ 'one/bwrap': '', 'two/getfattr': '' })
    const path = names?.map((name) => join(folder, name)).join(delimiter)
    expect(missingCopyPackages(platform, path)).toEqual(missing)
  })
})

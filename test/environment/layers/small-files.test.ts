import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SMALL, smallFilesBelow } from '../../../main/environment/layers/small-files.ts'
import { plant, tempFolder } from '../support.ts'

// Small files are read through /proc, which only Linux has.
it.skipIf(process.platform !== 'linux')(
  'small files are read in any order of folders, and no link in any part of a path is followed',
  () => {
    const folder = tempFolder()
    plant(folder, { a: '1', 'x/y/b': '2', 'x/c': '3', 'z/d': '4', 'x/large': 'l'.repeat(SMALL + 1), 'other/secret': 's' })
    symlinkSync('other', join(folder, 'x', 'inner'))
    mkdirSync(join(folder, 'x', 'folder'))
    const small = smallFilesBelow(folder)
    const read = (path: string): unknown => {
      const found = small.read(path)
      return found === null || found === 'large' ? found : Buffer.from(found.bytes).toString()
    }
    expect(['a', 'x/y/b', 'x/c', 'z/d', 'x/y/b', 'a'].map(read)).toEqual(['1', '2', '3', '4', '2', '1'])
    expect(small.read('x/inner')).toEqual({ bytes: Buffer.from('other'), mode: null })
    symlinkSync(Buffer.from([0xff]), join(folder, 'unreadable'))
    const none = ['unreadable', 'x/inner/secret', 'x/folder', 'gone', 'gone/a', 'a/b', 'x/y/gone/b']
    expect(none.map(read)).toEqual(none.map(() => null))
    expect(read('x/large')).toBe('large')
    renameSync(join(folder, 'z'), join(folder, 'moved'))
    symlinkSync('other', join(folder, 'z'))
    expect([read('z/secret'), read('moved/d')]).toEqual([null, '4'])
    small.dispose()
  },
)

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { headersFolder, holdsHeaders } from '../../main/bootstrap/headers.mjs'
import { tempFolder } from './temp-folder.ts'

const headersIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(['node_api.h', 'common.gypi', 'config.gypi'].map((name) => [`${folder}include/node/${name}`, '']))

describe('where the headers for the terminal module lie', () => {
  test('those beside the Node that runs us come first', () => {
    const root = tempFolder(headersIn('node 20/'))
    expect(headersFolder(root, join(root, 'node 20', 'bin', 'node'))).toBe(join(root, 'node 20'))
  })

  test('a folder without what node-gyp reads does not count', () => {
    const { 'include/node/config.gypi': _, ...files } = headersIn('')
    expect(holdsHeaders(tempFolder(files))).toBe(false)
    expect(holdsHeaders(tempFolder(headersIn('')))).toBe(true)
    expect(holdsHeaders(tempFolder())).toBe(false)
  })
})

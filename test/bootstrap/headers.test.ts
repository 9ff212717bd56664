import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { headersFolder, holdsHeaders, withPlainName } from '../../main/bootstrap/headers.mjs'
import { tempFolder } from './temp-folder.ts'

const headersIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(['node_api.h', 'common.gypi', 'config.gypi'].map((name) => [`${folder}include/node/${name}`, '']))

describe('where the headers for the terminal module lie', () => {
  test('those beside the Node that runs us come first', () => {
    const root = tempFolder(headersIn('node 20/'))
    expect(headersFolder(root, join(root, 'node 20', 'bin', 'node'))).toBe(join(root, 'node 20'))
  })

  test('are named without blanks while they are used, and only then', async () => {
    const root = tempFolder(headersIn(''))
    expect(root).toContain(' ')
    const name = await withPlainName(root, (plain) => Promise.resolve(holdsHeaders(plain) ? plain : 'not the headers'))
    expect(name).not.toMatch(/\s|not the headers/)
    expect(existsSync(name)).toBe(false)
    expect(holdsHeaders(root)).toBe(true)
    expect(await withPlainName('/usr', (plain) => Promise.resolve(plain))).toBe('/usr')
  })

  test('a folder without what node-gyp reads does not count', () => {
    const { 'include/node/config.gypi': _, ...files } = headersIn('')
    expect(holdsHeaders(tempFolder(files))).toBe(false)
    expect(holdsHeaders(tempFolder(headersIn('')))).toBe(true)
    expect(holdsHeaders(tempFolder())).toBe(false)
  })
})

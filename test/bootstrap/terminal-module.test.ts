import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { headersFolder, holdsHeaders, withPathWithoutSpaces } from '../../main/bootstrap/install/terminal-module.mjs'
import { tempFolder } from './temp-folder.ts'

const headersIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(['node_api.h', 'common.gypi', 'config.gypi'].map((name) => [`${folder}include/node/${name}`, '']))

describe('the headers for the terminal module', () => {
  test('are taken from the folder of the running Node first', () => {
    const root = tempFolder(headersIn('node 20/'))
    expect(headersFolder(root, join(root, 'node 20', 'bin', 'node'))).toBe(join(root, 'node 20'))
  })

  test('are reached by a path without spaces, which exists only during the build', async () => {
    const root = tempFolder(headersIn(''))
    expect(root).toContain(' ')
    const name = await withPathWithoutSpaces(root, (plain) => Promise.resolve(holdsHeaders(plain) ? plain : 'not the headers'))
    expect(name).not.toMatch(/\s|not the headers/)
    expect(existsSync(name)).toBe(false)
    expect(holdsHeaders(root)).toBe(true)
    expect(await withPathWithoutSpaces('/usr', (plain) => Promise.resolve(plain))).toBe('/usr')
  })

  test('are not taken from a folder that lacks a file that node-gyp reads', () => {
    const { 'include/node/config.gypi': _, ...files } = headersIn('')
    expect(holdsHeaders(tempFolder(files))).toBe(false)
    expect(holdsHeaders(tempFolder(headersIn('')))).toBe(true)
    expect(holdsHeaders(tempFolder())).toBe(false)
  })
})

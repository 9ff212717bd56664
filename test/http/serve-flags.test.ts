import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { builtFolder } from '../../main/http/built-folder.ts'
import { parseServeFlags } from '../../main/http/serve-flags.ts'

describe('flags of the browser shell', () => {
  it('without flags: a free port, no folder, the default data folder, and only the address is printed', () => {
    expect(parseServeFlags([], '/home/me')).toEqual({
      ok: true,
      value: { port: 0, folder: null, data: null, open: false, sandbox: 'auto' },
    })
  })

  it('values follow a space or an equals sign', () => {
    const value = { port: 4000, folder: '/a b', data: '/d', open: true, sandbox: 'off' }
    expect(parseServeFlags(['--port', '4000', '--folder', '/a b', '--data', '/d', '--open', '--sandbox', 'off'], '/home/me')).toEqual({
      ok: true,
      value,
    })
    expect(parseServeFlags(['--port=4000', '--folder=/a b', '--data=/d', '--open', '--sandbox=off'], '/home/me')).toEqual({
      ok: true,
      value,
    })
    expect(parseServeFlags(['--folder', 'p', '--data=./d'], '/home/me')).toMatchObject({
      ok: true,
      value: { folder: '/home/me/p', data: '/home/me/d' },
    })
    expect(parseServeFlags(['--no-open'], '/home/me')).toMatchObject({ ok: true, value: { open: false } })
  })

  it.each([
    [['--port', '65536'], '--port must be a number from 0 to 65535, not "65536".'],
    [['--port', 'http'], '--port must be a number from 0 to 65535, not "http".'],
    [['--port', ''], '--port must be a number from 0 to 65535, not "".'],
    [['--folder', ''], '--folder takes a folder.'],
    [['--sandbox', 'on'], '--sandbox must be auto or off, not "on".'],
    [['--sandbox', 'require'], '--sandbox must be auto or off, not "require".'],
  ])('%j is refused with a message', (argv, message) => {
    expect(parseServeFlags(argv, '/home/me')).toEqual({ ok: false, failure: { help: false, message } })
  })

  it.each([[['--host', '0.0.0.0']], [['--folder']], [['somewhere']]])('%j is refused with a message', (argv) => {
    expect(parseServeFlags(argv, '/home/me')).toMatchObject({ ok: false, failure: { help: false, message: expect.stringMatching(/\w/) } })
  })

  it('help lists every flag', () => {
    const asked = parseServeFlags(['--help'], '/home/me')
    expect(asked.ok).toBe(false)
    for (const flag of ['--port', '--folder', '--data', '--open', '--sandbox', '--help'])
      expect(!asked.ok && asked.failure.message).toContain(flag)
  })
})

describe('the folder of the built page', () => {
  it.each([
    ['/x/main/http/built-folder.ts', '/x/dist/renderer'],
    ['/dist/main/http/built-folder.ts', '/dist/dist/renderer'],
    ['/x/dist/main/serve.js', '/x/dist/renderer'],
    ['/x/dist/main/chunks/serve-1.js', '/x/dist/renderer'],
    ['/x/app.asar/dist/main/chunks/a.js', '/x/app.asar/dist/renderer'],
  ])('from %s it is %s', (from, folder) => {
    expect(builtFolder('renderer', pathToFileURL(from).href)).toBe(folder)
  })
})

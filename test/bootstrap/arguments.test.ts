import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HELP, parseStart } from '../../main/bootstrap/arguments.mjs'

const DEFAULTS = { browser: false, electron: false, open: true, port: null, folder: null, data: null }

describe('the options of npm start', () => {
  test('without options, the defaults are used', () => {
    expect(parseStart([], '/home/me')).toEqual({ kind: 'start', options: DEFAULTS })
  })

  test('accepts every option', () => {
    const args = ['--browser', '--port', '4000', '--folder', resolve('/w/my project'), '--data', resolve('/d'), '--no-open', '--electron']
    expect(parseStart(args, '/home/me')).toEqual({
      kind: 'start',
      options: { browser: true, electron: true, open: false, port: 4000, folder: resolve('/w/my project'), data: resolve('/d') },
    })
  })

  test('a relative folder is resolved against the folder where the command was typed', () => {
    const from = resolve('/home/me')
    expect(parseStart(['--folder=proj', '--data', '.'], from)).toEqual({
      kind: 'start',
      options: { ...DEFAULTS, folder: join(from, 'proj'), data: from },
    })
  })

  test.each([
    [['--port'], '--port needs a number from 0 to 65535.'],
    [['--port', 'x'], '--port needs a number from 0 to 65535.'],
    [['--port', '65536'], '--port needs a number from 0 to 65535.'],
    [['--folder'], '--folder needs a folder.'],
    [['--data='], '--data needs a folder.'],
    [['--brwoser'], '"--brwoser" is not an option of npm start.'],
    [['project'], '"project" is not an option of npm start.'],
  ])('%j is refused: %s', (args, words) => {
    expect(parseStart(args, '/')).toEqual({ kind: 'wrong', words })
  })

  test('--help overrides the other options and lists every option', () => {
    expect(parseStart(['--browser', '-h'], '/')).toEqual({ kind: 'help' })
    for (const option of ['--folder', '--data', '--browser', '--port', '--no-open', '--electron', '--help'])
      expect(HELP).toContain(`    ${option} `)
  })
})

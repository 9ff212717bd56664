import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answers, findChromiums } from '../../main/bootstrap/chromium.mjs'
import { installLine } from '../../main/bootstrap/chromium-for-tests.mjs'
import { tempFolder } from './temp-folder.ts'

/** A machine whose files all lie in a temp folder; what is installed on the real one does not count. */
const machine = (root: string, platform: string, env: Readonly<Record<string, string>>) => ({
  platform,
  env,
  home: join(root, 'home'),
  exists: (file: string) => file.startsWith(root) && existsSync(file),
})

describe('the lookup of a Chromium', () => {
  test('takes what PATH names, Chromium before the others', () => {
    const root = tempFolder({ 'a/google-chrome': '', 'b/chromium': '' })
    const env = { PATH: `${join(root, 'a')}:${join(root, 'b')}` }
    expect(findChromiums(machine(root, 'linux', env))).toEqual([join(root, 'b', 'chromium'), join(root, 'a', 'google-chrome')])
  })

  test('takes CHROMIUM_PATH and nothing else where it is set', () => {
    const root = tempFolder({ 'a/chromium': '', 'own/browser': '' })
    const env = { PATH: join(root, 'a'), CHROMIUM_PATH: join(root, 'own', 'browser') }
    expect(findChromiums(machine(root, 'linux', env))).toEqual([join(root, 'own', 'browser')])
    expect(findChromiums(machine(root, 'linux', { ...env, CHROMIUM_PATH: join(root, 'gone') }))).toEqual([])
  })

  test('finds an application of macOS in the home folder', () => {
    const file = 'home/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
    const root = tempFolder({ [file]: '' })
    expect(findChromiums(machine(root, 'darwin', {}))).toEqual([join(root, file)])
  })

  test('finds Edge on Windows, where PATH names none', () => {
    const file = 'Program Files (x86)/Microsoft/Edge/Application/msedge.exe'
    const root = tempFolder({ [file]: '' })
    const env = { Path: join(root, 'nothing'), 'PROGRAMFILES(X86)': join(root, 'Program Files (x86)') }
    expect(findChromiums(machine(root, 'win32', env))).toEqual([join(root, file)])
  })

  test('finds none where there is none', () => {
    expect(findChromiums(machine(tempFolder(), 'linux', { PATH: '/usr/bin' }))).toEqual([])
  })

  test.skipIf(process.platform === 'win32')('passes over one that does not start', () => {
    const root = tempFolder({ works: '#!/bin/sh\nexit 0\n', broken: '#!/bin/sh\nexit 127\n' })
    expect([answers(join(root, 'works')), answers(join(root, 'broken')), answers(join(root, 'gone'))]).toEqual([true, false, false])
  })

  test('names the way to get one on each platform', () => {
    expect([installLine('linux', true), installLine('linux', false), installLine('darwin', false), installLine('win32', false)]).toEqual([
      'sudo apt-get install chromium',
      'install Chromium or Google Chrome with your package tool, or set CHROMIUM_PATH to one',
      'brew install --cask chromium',
      'winget install Google.Chrome',
    ])
  })
})

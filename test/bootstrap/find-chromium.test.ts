import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findChromiums } from '../../main/bootstrap/find-chromium.mjs'
import { canStart, installLine, plan } from '../run/chromium-for-tests.ts'
import { tempFolder } from './temp-folder.ts'

/** A machine whose files are all in a temp folder. Files of the real machine are ignored. */
const machine = (root: string, platform: string, env: Readonly<Record<string, string>>) => ({
  platform,
  env,
  home: join(root, 'home'),
  exists: (file: string) => file.startsWith(root) && existsSync(file),
})

describe('the search for a Chromium', () => {
  test('finds browsers on PATH, and Chromium first', () => {
    const root = tempFolder({ 'a/google-chrome': '', 'b/chromium': '' })
    const env = { PATH: `${join(root, 'a')}:${join(root, 'b')}` }
    expect(findChromiums(machine(root, 'linux', env))).toEqual([join(root, 'b', 'chromium'), join(root, 'a', 'google-chrome')])
  })

  test('uses only CHROMIUM_PATH if it is set', () => {
    const root = tempFolder({ 'a/chromium': '', 'own/browser': '' })
    const env = { PATH: join(root, 'a'), CHROMIUM_PATH: join(root, 'own', 'browser') }
    expect(findChromiums(machine(root, 'linux', env))).toEqual([join(root, 'own', 'browser')])
    expect(findChromiums(machine(root, 'linux', { ...env, CHROMIUM_PATH: join(root, 'gone') }))).toEqual([])
  })

  test('finds a macOS application in the home folder', () => {
    const file = 'home/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
    const root = tempFolder({ [file]: '' })
    expect(findChromiums(machine(root, 'darwin', {}))).toEqual([join(root, file)])
  })

  test('finds Edge on Windows without an entry in PATH', () => {
    const file = 'Program Files (x86)/Microsoft/Edge/Application/msedge.exe'
    const root = tempFolder({ [file]: '' })
    const env = { Path: join(root, 'nothing'), 'PROGRAMFILES(X86)': join(root, 'Program Files (x86)') }
    expect(findChromiums(machine(root, 'win32', env))).toEqual([join(root, file)])
  })

  test('finds no browser if none is installed', () => {
    expect(findChromiums(machine(tempFolder(), 'linux', { PATH: '/usr/bin' }))).toEqual([])
  })

  // On Windows the search does not check whether a browser starts, because the check would open a window.
  test.skipIf(process.platform === 'win32')('skips a browser that does not start', () => {
    const root = tempFolder({ works: '#!/bin/sh\nexit 0\n', broken: '#!/bin/sh\nexit 127\n' })
    expect([canStart(join(root, 'works')), canStart(join(root, 'broken')), canStart(join(root, 'gone'))]).toEqual([true, false, false])
  })

  test('says what will be installed and why, and how to use another browser', () => {
    for (const text of [plan(true), plan(false)]) {
      expect(text).toContain('There is no Chromium on this machine, and tests that open the app in a browser need one.')
      expect(text).toContain("Downloading Playwright's")
      expect(text).toContain('CHROMIUM_PATH')
    }
    expect(plan(true)).toContain('the Debian package "chromium" is installed with apt-get, because you are root')
    expect(plan(false)).not.toContain('apt-get')
  })

  test('names the command that installs a Chromium on each platform', () => {
    expect([installLine('linux', true), installLine('linux', false), installLine('darwin', false), installLine('win32', false)]).toEqual([
      'sudo apt-get install chromium',
      'install Chromium or Google Chrome with your package manager, or set CHROMIUM_PATH to one',
      'brew install --cask chromium',
      'winget install Google.Chrome',
    ])
  })
})

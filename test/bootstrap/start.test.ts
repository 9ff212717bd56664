import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { compileCacheFolder } from '../../main/bootstrap/compile-cache.mjs'
import { electronProgram, reasonIn } from '../../main/bootstrap/electron-runtime.mjs'
import { desktopShell, mayOpenWindow } from '../../main/bootstrap/start-shells.mjs'
import { redirectPage } from '../../main/bootstrap/open-window.mjs'
import { whyNoWindow } from '../../main/bootstrap/start.mjs'
import { tempFolder } from './temp-folder.ts'

const electronFiles = {
  'node_modules/electron/package.json': '{"version":"45.4.1"}',
  'node_modules/electron/path.txt': 'electron',
  'node_modules/electron/dist/version': 'v45.4.1',
  'node_modules/electron/dist/electron': '',
}

afterEach(() => void vi.unstubAllEnvs())

describe('the choice of a shell', () => {
  test('no window is opened as root or without a display', () => {
    expect(whyNoWindow({ root: true, display: true })).toBe('Electron does not run as root')
    expect(whyNoWindow({ root: false, display: false })).toBe('There is no display for a window')
    expect(whyNoWindow({ root: false, display: true })).toBe(null)
  })

  test('Electron counts as installed only if its runtime has the expected version', () => {
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', undefined)
    const root = tempFolder(electronFiles)
    expect(electronProgram(root)).toBe(join(root, 'node_modules', 'electron', 'dist', 'electron'))
    expect(electronProgram(tempFolder({ ...electronFiles, 'node_modules/electron/dist/version': 'v44.0.0' }))).toBe(null)
    expect(electronProgram(tempFolder({ 'node_modules/electron/package.json': '{"version":"45.4.1"}' }))).toBe(null)
  })

  test('a runtime from elsewhere needs nothing that Electron’s installer writes', () => {
    const folder = tempFolder({ electron: '', 'electron.exe': '', 'Electron.app/Contents/MacOS/Electron': '' })
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', folder)
    const root = tempFolder({ 'node_modules/electron/package.json': '{"version":"45.4.1"}' })
    expect(electronProgram(root)).toMatch(/[\\/][Ee]lectron(?:\.exe)?$/)
  })

  test('the reason for a failure is the printed error message, not a line of its stack', () => {
    expect(reasonIn('starting\nError: The display is gone\n    at open (x.js:1)\n\n')).toBe('Error: The display is gone')
    expect(reasonIn('[812:1121/101500.1:ERROR:ozone.cc(1)] Missing X server')).toBe('Missing X server')
    expect(reasonIn('')).toBe('it ended without a message')
  })
})

// The program that these tests start is a shell script, which Windows cannot run.
describe.skipIf(process.platform === 'win32')('a desktop shell', () => {
  const electron = (script: string): Promise<number | string> => {
    const root = tempFolder({ electron: `#!/bin/sh\n${script}\n` })
    return desktopShell(root, join(root, 'electron'), [])
  }

  test('returns its own error message if it fails immediately', async () => {
    expect(await electron('echo "FATAL: no namespaces here" >&2; exit 1')).toBe('Electron ended at once: FATAL: no namespaces here')
    expect(await electron('kill -TRAP $$')).toBe('Electron ended at once: SIGTRAP')
    expect(await electron('echo "[9:FATAL:gpu.cc(1)] FATAL: no display" >&2; kill -TRAP $$')).toBe(
      'Electron ended at once: FATAL: no display',
    )
  })

  test('names the remedy if the system does not allow its sandbox', async () => {
    const said =
      '[77:1128/071500.1:FATAL:sandbox/linux/suid/client/setuid_sandbox_host.cc:166] The SUID sandbox helper binary was found, but is not configured correctly.'
    const why = await electron(`echo "${said}" >&2; echo "some later error" >&2; kill -TRAP $$`)
    expect(why).toMatch(/^Electron ended at once: The SUID sandbox helper binary was found, but is not configured correctly\.\n/)
    expect(why).toMatch(/profile countersign-electron "\/.*\/electron" flags=\(unconfined\)/)
    expect(why).toContain('sudo apparmor_parser -r /etc/apparmor.d/countersign-electron')
  })

  test('counts as closed by its user if it exits with 0', async () => {
    expect(await electron('exit 0')).toBe(0)
  })

  test('returns the reason if it cannot be started', async () => {
    expect(await desktopShell(tempFolder(), '/no/such/electron', [])).toMatch(/^Electron could not be started \(.*ENOENT/)
  })
})

describe('the window of the browser shell', () => {
  test('opens only for an ordinary user with a display, and not in CI', () => {
    expect(mayOpenWindow({ root: false, display: true, ci: false })).toBe(true)
    expect(mayOpenWindow({ root: true, display: true, ci: false })).toBe(false)
    expect(mayOpenWindow({ root: false, display: false, ci: false })).toBe(false)
    expect(mayOpenWindow({ root: false, display: true, ci: true })).toBe(false)
  })

  test('opens a page that redirects to the address, and the address cannot inject a script into that page', () => {
    expect(redirectPage('http://127.0.0.1:1/#</script><b>')).toContain('location.replace("http://127.0.0.1:1/#\\u003c/script>\\u003cb>")')
  })
})

describe('compiled code', () => {
  test('is cached in a user folder on each platform', () => {
    expect(compileCacheFolder('linux', {}, '/home/me')).toBe(join('/home/me', '.cache', 'countersign', 'code'))
    expect(compileCacheFolder('linux', { XDG_CACHE_HOME: '/x' }, '/home/me')).toBe(join('/x', 'countersign', 'code'))
    expect(compileCacheFolder('darwin', {}, '/Users/me')).toBe(join('/Users/me', 'Library', 'Caches', 'Countersign', 'code'))
    expect(compileCacheFolder('win32', { LOCALAPPDATA: '/l' }, '/u')).toBe(join('/l', 'Countersign', 'code'))
  })

  test.each([
    ['is kept between starts', {}, 'countersign'],
    ['is not kept by an AppImage, which has another path at each start', { APPIMAGE: '/a.AppImage' }, 'undefined'],
  ])('%s', (_, variables, folder) => {
    const file = JSON.stringify(new URL('../../main/bootstrap/compile-cache.mjs', import.meta.url).href)
    const code = `import { getCompileCacheDir } from 'node:module'
      ;(await import(${file})).keepCompiled()
      console.log(String(getCompileCacheDir()))`
    const env = { PATH: process.env.PATH, HOME: tempFolder(), XDG_CACHE_HOME: tempFolder(), ...variables }
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' })).toContain(folder)
  })
})

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useKeyStore } from '../../main/electron/launch/password-store.ts'
import { BACKGROUNDS } from '../../main/electron/native-theme.ts'
import { app, nativeTheme, resetFakeElectron, safeStorage } from '../support/fake-electron/electron.ts'
import { type RunningDesktop, desktopsHere } from './running-desktop.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

describe('a desktop with unusual surroundings', () => {
  const startDesktop = desktopsHere()
  let running: RunningDesktop

  it('started with --no-sandbox, as an AppImage may: the switch is kept, or no page could start, and the window says so', async () => {
    running = await startDesktop({ beforeStart: () => app.commandLine.appendSwitch('no-sandbox') })
    await running.window()
    expect([app.sandboxed, app.commandLine.hasSwitch('no-sandbox')]).toEqual([false, true])
    expect(
      running
        .host()
        .systemTroubles.current()
        .map(({ code, title }) => [code, title]),
    ).toEqual([['no_page_sandbox', 'Window not confined']])
  })

  it('started as usual: pages are confined, and nothing is said', async () => {
    running = await startDesktop()
    await running.window()
    expect([app.sandboxed, running.host().systemTroubles.current()]).toEqual([true, []])
  })

  it('while the keychain waits for the user, the window is open and keys are pending; then every provider is told', async () => {
    const unlocked = Promise.withResolvers<void>()
    running = await startDesktop({
      beforeReady: () => {
        safeStorage.opening = unlocked.promise
      },
    })
    await running.window()
    const { secrets } = running.host()
    const told: string[] = []
    secrets.onChange((provider) => told.push(provider))
    expect([secrets.newKeysKeptIn, (await secrets.state('anthropic')).key]).toEqual(['pending', 'pending'])
    const saved = secrets.set('anthropic', 'sk-ant-0123456789abcdef')
    unlocked.resolve()
    await saved
    expect([secrets.newKeysKeptIn, (await secrets.state('anthropic')).key, await secrets.get('openai')]).toEqual(['keychain', 'set', null])
    expect(new Set(told)).toEqual(new Set(told).add('anthropic').add('openai').add('gemini'))
  })

  it('the theme of the settings reaches menus and dialogs, and a window has the page’s color before it is drawn', async () => {
    running = await startDesktop()
    const window = await running.window()
    expect([nativeTheme.themeSource, window.background]).toEqual(['system', BACKGROUNDS.light])
    running.chosen.choose('dark')
    expect([nativeTheme.themeSource, window.background]).toEqual(['dark', BACKGROUNDS.dark])
  })
})

it('the background of a window is the page’s own', () => {
  const themes = readFileSync(join(import.meta.dirname, '../../renderer/styles/themes.css'), 'utf8')
  expect(Object.values(BACKGROUNDS)).toEqual([...themes.matchAll(/^\s+--chrome: (#\w+);/gm)].map(([, color]) => color))
})

describe('the key store of a desktop that Chromium does not know', () => {
  let data: string
  beforeEach(() => {
    resetFakeElectron()
    data = mkdtempSync(join(tmpdir(), 'countersign-bus-'))
    mkdirSync(join(data, 'dbus-1', 'services'), { recursive: true })
    writeFileSync(join(data, 'dbus-1', 'services', 'keyring.service'), '[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/bin/true\n')
  })
  afterEach(() => {
    rmSync(data, { recursive: true })
  })
  const BUS = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus' }

  it.each([
    ['sway with a key store', { ...BUS, XDG_CURRENT_DESKTOP: 'sway' }, true, 'gnome-libsecret'],
    ['no name of a desktop, with a key store', BUS, true, 'gnome-libsecret'],
    ['sway without a key store', { ...BUS, XDG_CURRENT_DESKTOP: 'sway' }, false, ''],
    ['sway without a session bus', { XDG_CURRENT_DESKTOP: 'sway' }, true, ''],
    ['GNOME on Ubuntu, which Chromium knows', { ...BUS, XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' }, true, ''],
    ['KDE, which Chromium knows', { ...BUS, XDG_CURRENT_DESKTOP: 'KDE' }, true, ''],
  ])('%s', (_, env, hasStore, expected) => {
    useKeyStore({ ...env, HOME: data, XDG_DATA_DIRS: hasStore ? `/nowhere:${data}` : '/nowhere' }, 'linux')
    expect(app.commandLine.getSwitchValue('password-store')).toBe(expected)
  })

  it('a store that the user names stays, and other systems have none', () => {
    const env = { ...BUS, HOME: data, XDG_DATA_DIRS: data }
    useKeyStore(env, 'darwin')
    expect(app.commandLine.hasSwitch('password-store')).toBe(false)
    app.commandLine.appendSwitch('password-store', 'basic')
    useKeyStore(env, 'linux')
    expect(app.commandLine.getSwitchValue('password-store')).toBe('basic')
  })
})

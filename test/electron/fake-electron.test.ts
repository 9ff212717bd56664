import { describe, expect, it } from 'vitest'
import { BrowserWindow, app, dialog, resetFakeElectron, safeStorage, session, shell } from '../support/fake-electron/electron.ts'
import { across, exposed } from '../support/fake-electron/bridge.ts'
import { FakePage } from '../support/fake-electron/fake-page.ts'

describe('fake electron', () => {
  it.each([
    ['app', app],
    ['dialog', dialog],
    ['session', session.defaultSession],
    ['safeStorage', safeStorage],
    ['shell', shell],
    ['BrowserWindow', BrowserWindow],
  ])('throws when an unknown member of %s is read, called or set', (_, part) => {
    const unknown = part as unknown as Record<string, unknown>
    expect(() => unknown['trashItem']).toThrow(/the fake electron has no \w+\.trashItem/)
    expect(() => {
      unknown['contextIsolation'] = false
    }).toThrow(/has no \w+\.contextIsolation/)
  })

  it('has Electron’s unsafe defaults: permissions are granted, windows open, pages navigate anywhere', async () => {
    resetFakeElectron()
    const { webContents } = new BrowserWindow()
    expect([
      await session.defaultSession.asks('media', 'https://x.example/'),
      session.defaultSession.checks('geolocation', 'https://x.example'),
      webContents.opens('https://x.example/'),
      webContents.navigates('https://x.example/'),
    ]).toEqual([true, true, true, true])
  })

  it('forgets --no-sandbox when the sandbox is switched on', () => {
    resetFakeElectron()
    app.commandLine.appendSwitch('no-sandbox')
    app.enableSandbox()
    expect(app.commandLine.hasSwitch('no-sandbox')).toBe(false)
  })

  it('copies values that cross the bridge, freezes exposed values, and refuses what a real bridge cannot carry', () => {
    const given = { list: [1], nested: { call: (value: { n: number }) => value } }
    const api = exposed(given) as typeof given
    expect([Object.isFrozen(api), Object.isFrozen(api.nested), Object.isFrozen(api.nested.call)]).toEqual([true, true, true])
    const value = { n: 1 }
    expect(api.nested.call(value)).toEqual(value)
    expect(api.nested.call(value)).not.toBe(value)
    expect(() => across({ bad: Symbol('no') })).toThrow()
  })

  it('lets a sandboxed preload require only the electron module', () => {
    const reach = { toMain: () => {} }
    expect(() => new FakePage('x:', 'require("node:fs")', reach)).toThrow('module not found: node:fs')
    expect(() => new FakePage('x:', 'require("electron").webFrame', reach)).not.toThrow()
  })
})

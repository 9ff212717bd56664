import { describe, expect, it, vi } from 'vitest'
import { showWaiting } from '../../main/electron/waiting-badge.ts'
import { BrowserWindow, app, resetFakeElectron } from '../support/fake-electron/electron.ts'
import { ToldNow, desktopsHere } from './running-desktop.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

const start = desktopsHere()

describe('while sessions wait for the user', () => {
  it('their number is on the app’s icon, and the window flashes until it gets the focus', async () => {
    const { needs, window } = await start()
    const shown = await window()
    BrowserWindow.focused = null
    needs.become(2)
    expect([app.badge, shown.flashes]).toEqual([2, true])
    shown.focus()
    expect(shown.flashes).toBe(false)
    needs.become(0)
    expect(app.badge).toBe(0)
  })

  it('nothing flashes if a window has the focus, or if fewer sessions wait than before', async () => {
    const { needs, window } = await start()
    const shown = await window()
    shown.focus()
    needs.become(3)
    BrowserWindow.focused = null
    needs.become(1)
    expect([app.badge, shown.flashes]).toEqual([1, false])
  })

  const parts = (platform: string, isLoud: boolean) => {
    resetFakeElectron()
    const window = new BrowserWindow()
    const needs = new ToldNow(0)
    showWaiting({ follow: needs.follow, windows: () => BrowserWindow.getAllWindows(), isLoud: () => isLoud, platform })
    return { window, needs }
  }

  it('Windows: the button in the task bar is yellow', () => {
    const { window, needs } = parts('win32', true)
    needs.become(1)
    expect(window.progress).toBe('1 paused')
    needs.become(0)
    expect(window.progress).toBe(null)
  })

  it('macOS: the icon in the Dock jumps, unless notifications are off', () => {
    const jumps: string[] = []
    for (const isLoud of [true, false]) {
      const { needs } = parts('darwin', isLoud)
      app.dock = { bounce: (type) => jumps.push(type) }
      needs.become(1)
    }
    expect(jumps).toEqual(['informational'])
  })
})

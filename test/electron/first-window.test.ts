import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readlinkSync, symlinkSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { ok } from '../../shared/lib/result.ts'
import { BrowserWindow, app, dialog, screen } from '../support/fake-electron/electron.ts'
import { type RunningDesktop, desktopsHere } from './running-desktop.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

const startDesktop = desktopsHere()
let running: RunningDesktop

// Windows locks without files.
describe.skipIf(process.platform === 'win32')('the lock of a data folder', () => {
  const startWithLock = async (target: string): Promise<string> => {
    const data = mkdtempSync(join(tmpdir(), 'countersign-lock-'))
    const lock = join(data, 'desktop', 'SingletonLock')
    mkdirSync(join(data, 'desktop'))
    symlinkSync(target, lock)
    running = await startDesktop({ parts: { dataFolder: () => ok(data) } })
    return lock
  }
  const deadPid = (): number => spawnSync('true').pid

  it('is removed if the instance that left it was killed, and the app starts', async () => {
    await startWithLock(`${hostname()}-${deadPid()}`)
    await running.window()
    expect([app.exitCode, BrowserWindow.all.length, dialog.errors]).toEqual([null, 1, []])
  })

  it('is kept if its instance runs, and the second instance ends silently', async () => {
    const lock = await startWithLock(`${hostname()}-${process.pid}`)
    expect([app.exitCode, BrowserWindow.all.length, dialog.errors]).toEqual([0, 0, []])
    expect(readlinkSync(lock)).toBe(`${hostname()}-${process.pid}`)
  })

  it('is kept if it is from another computer, and a message names the computer and the file', async () => {
    const lock = await startWithLock('office-pc-4711')
    expect([app.exitCode, BrowserWindow.all.length]).toEqual([1, 0])
    expect(dialog.errors[0]?.[1]).toContain('in use on another computer (office-pc)')
    expect(dialog.errors[0]?.[1]).toContain(lock)
  })
})

describe('the size of a window', () => {
  it('is not larger than the screen, and Electron keeps it for the next start', async () => {
    running = await startDesktop({ beforeReady: () => (screen.workAreaSize = { width: 1366, height: 728 }) })
    const { options } = await running.window()
    expect([options.width, options.height, options.windowStatePersistence, options.name]).toEqual([1366, 728, true, 'desk-1'])
  })
})

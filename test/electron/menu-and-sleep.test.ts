import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { MENU_COMMANDS } from '../../shared/api/app.ts'
import { setMenu } from '../../main/electron/menu.ts'
import { BrowserWindow, Menu, app, powerMonitor, powerSaveBlocker, shell } from '../support/fake-electron/electron.ts'
import { desktopsHere, until } from './running-desktop.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

const start = desktopsHere()

describe('the application menu', () => {
  it('runs each of its commands in the frontmost window', async () => {
    const running = await start()
    const window = await running.window()
    for (const label of ['Open Folder…', 'Settings…', 'Find in All Sessions…', 'All Keys', 'About Countersign']) Menu.applied?.click(label)
    const asked = window.loaded.map((url) => url.replace('countersign-app://desk/', '')).filter((fragment) => fragment !== '')
    expect(asked).toEqual(['#command=folder', '#command=settings', '#command=history', '#command=keys', '#settings=settings-about'])
    expect(MENU_COMMANDS.map((command) => `#command=${command}`).toSorted()).toEqual(asked.slice(0, 4).toSorted())
  })

  it('lists the folders that were opened last, opens them again, and tells the system of the newest', async () => {
    const running = await start()
    const window = await running.window()
    running.folders.become(['/srv/tides & more', '/srv/harbour'])
    Menu.applied?.click('/srv/tides && more')
    expect(window.loaded.at(-1)).toBe(`countersign-app://desk/#folder=${encodeURIComponent('/srv/tides & more')}`)
    running.folders.become(['/srv/tides & more', '/srv/harbour', '/srv/other'])
    running.folders.become(['/srv/harbour', '/srv/tides & more'])
    expect(app.recentDocuments).toEqual(['/srv/tides & more', '/srv/harbour'])
  })

  it('shows the folder of the crash reports, also before there is one', async () => {
    const running = await start()
    await running.window()
    Menu.applied?.click('Show Logs')
    expect(await until(() => shell.paths[0])).toBe(join(running.dataFolder, 'crashes'))
  })

  it('opens a new window', async () => {
    const running = await start()
    await running.window()
    Menu.applied?.click('New Window')
    await until(() => BrowserWindow.all[1]?.webContents.page)
    expect(BrowserWindow.all).toHaveLength(2)
  })

  it.each([true, false])('has About, Settings and a key for New Window on every system (macOS: %s)', (isMac) => {
    const nothing = (): void => {}
    setMenu({
      isMac,
      devTools: false,
      recent: [],
      newWindow: nothing,
      open: nothing,
      about: nothing,
      logs: nothing,
      run: nothing,
    })
    const template = Menu.applied?.template ?? []
    const words = JSON.stringify(template)
    expect(words.match(/About Countersign/gu)).toHaveLength(1)
    expect(words.match(/Settings…/gu)).toHaveLength(1)
    expect(words).toContain('"label":"New Window","accelerator":"CommandOrControl+Shift+N"')
    // On macOS, the first menu belongs to the app.
    expect(template[0]).toMatchObject(isMac ? { role: 'appMenu' } : { label: 'File' })
  })
})

describe('the sleep of the computer', () => {
  it('is held off while a turn or a command runs, and allowed again afterwards', async () => {
    const { activity, window } = await start()
    await window()
    expect([...powerSaveBlocker.blocking.values()]).toEqual([])
    activity.become(true)
    activity.become(true)
    expect([...powerSaveBlocker.blocking.values()]).toEqual(['prevent-app-suspension'])
    activity.become(false)
    expect([...powerSaveBlocker.blocking.values()]).toEqual([])
  })

  it('when it ends, the app hears of it, because connections to models may be gone', async () => {
    const { wakes, window } = await start()
    await window()
    powerMonitor.emit('resume')
    expect(wakes()).toBe(1)
  })

  it('is allowed again when the app ends in the middle of a turn', async () => {
    const { activity, window } = await start()
    await window()
    activity.become(true)
    app.quit()
    await app.whenExited()
    expect([...powerSaveBlocker.blocking.values()]).toEqual([])
  })
})

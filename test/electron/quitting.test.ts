import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { BrowserWindow, Tray, app, dialog } from '../support/fake-electron/electron.ts'
import { FakeEvent } from '../support/fake-electron/emitter.ts'
import { FakeWebContents } from '../support/fake-electron/fake-web-contents.ts'
import { type RunningDesktop, SIGNALS, desktopsHere, until } from './running-desktop.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

const KEEP = 0
const STOP = 1
const CANCEL = 2

const startDesktop = desktopsHere()
let running: RunningDesktop

/** The window is not visible, so that the system's dialog asks. */
const start = async (): Promise<BrowserWindow> => {
  running = await startDesktop({ beforeReady: () => void (BrowserWindow.draws = false) })
  return running.window()
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

// On macOS, closing the last window does not quit.
describe.skipIf(process.platform === 'darwin')('leaving while something runs', () => {
  const leave = { 'closing the last window': (window: BrowserWindow) => window.close(), Quit: () => app.quit() } as const
  const ways = Object.entries(leave)

  it.each(ways)('%s asks, and names what runs', async (_, go) => {
    const window = await start()
    running.work.push({ title: 'VAT on credit notes', what: 'a turn' }, { title: 'Month grid', what: 'a command' })
    go(window)
    await turn()
    expect(dialog.asked).toEqual([
      expect.objectContaining({
        message: '2 things are still running',
        buttons: ['Keep running', 'Stop and quit', 'Cancel'],
        defaultId: KEEP,
        cancelId: CANCEL,
      }),
    ])
    expect(dialog.asked[0]?.detail).toMatch(/^VAT on credit notes: a turn\nMonth grid: a command\n/)
    expect([window.isDestroyed(), app.exitCode, running.closed]).toEqual([false, null, []])
  })

  it.each(ways)('%s asks only once at a time', async (_, go) => {
    const window = await start()
    running.work.push({ title: 'One', what: 'a turn' })
    const thinking = Promise.withResolvers<void>()
    dialog.thinking = thinking.promise
    go(window)
    go(window)
    app.quit()
    thinking.resolve()
    await turn()
    expect(dialog.asked.length).toBe(1)
  })

  it.each(ways)('%s, “Stop and quit”: the app is closed', async (_, go) => {
    const window = await start()
    running.work.push({ title: 'One', what: 'a turn' })
    dialog.answers.push(STOP)
    go(window)
    expect([await app.whenExited(), running.closed]).toEqual([0, ['app']])
  })

  it.each(ways)('%s, “Keep running”: the windows close, an icon in the tray stays, and a click on it opens a window', async (_, go) => {
    const window = await start()
    running.work.push({ title: 'One', what: 'a turn' })
    dialog.answers.push(KEEP)
    go(window)
    await until(() => window.isDestroyed() || null)
    expect([app.exitCode, running.closed, running.withoutWindow.length, Tray.shown?.image.hasPixels]).toEqual([null, [], 1, true])
    running.needs.become(2)
    expect([Tray.shown?.toolTip, Tray.shown?.menu?.template[0]?.label]).toEqual([
      'Countersign: 2 sessions need you',
      'Countersign: 2 sessions need you',
    ])
    running.needs.become(0)
    expect(Tray.shown?.toolTip).toBe('Countersign is running')
    Tray.shown?.emit('click')
    await running.window()
    expect([Tray.shown, BrowserWindow.all.length]).toEqual([null, 1])
    running.work.length = 0
    BrowserWindow.all[0]?.close()
    expect(await app.whenExited()).toBe(0)
  })

  it('“Keep running” without a system tray: a second start opens the window again', async () => {
    const window = await start()
    Tray.isRefused = true
    running.work.push({ title: 'One', what: 'a turn' })
    dialog.answers.push(KEEP)
    window.close()
    await until(() => window.isDestroyed() || null)
    app.emit('second-instance', new FakeEvent(), [], '/', { show: null })
    await running.window()
    expect([dialog.asked[0]?.detail?.includes('start Countersign again'), BrowserWindow.all.length]).toEqual([true, 1])
  })

  it('closing one of two windows asks nothing, and neither does leaving when nothing runs', async () => {
    const window = await start()
    app.emit('activate', new FakeEvent())
    window.close()
    expect([dialog.asked, await app.whenExited()]).toEqual([[], 0])
  })

  it('Windows: the end of the session ends the app without a question', async () => {
    const window = await start()
    running.work.push({ title: 'One', what: 'a turn' })
    window.emit('session-end', new FakeEvent())
    expect([await app.whenExited(), dialog.asked, running.closed]).toEqual([0, [], ['app']])
  })
})

describe('the question in the page', () => {
  const startVisible = async (): Promise<BrowserWindow> => {
    running = await startDesktop()
    const window = await running.window()
    await until(() => (window.visible ? true : null))
    running.work.push({ title: 'One', what: 'a turn' })
    return window
  }
  const asked = () => until(() => running.host().quitQuestions.current())

  it('is asked in a visible window, and its answer counts', async () => {
    await startVisible()
    app.quit()
    const question = await asked()
    running.host().quitQuestions.drawn(question.id)
    expect(question).toEqual({ id: 1, work: running.work, wayBack: expect.stringContaining('come back') as unknown })
    expect(running.host().quitQuestions.answer(question.id, 'stop')).toBe(true)
    expect([await app.whenExited(), dialog.asked, running.host().quitQuestions.current()]).toEqual([0, [], null])
  })

  it('is asked by the system’s dialog if the page draws nothing within 1.5 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await startVisible()
    app.quit()
    const question = await asked()
    vi.advanceTimersByTime(1_500)
    expect((await until(() => dialog.asked[0])).message).toBe('Work is still running')
    expect(running.host().quitQuestions.answer(question.id, 'stop')).toBe(false)
    expect(app.exitCode).toBe(null)
  })

  it('closes by itself when the work has ended, and the app stays', async () => {
    await startVisible()
    app.quit()
    running.host().quitQuestions.drawn((await asked()).id)
    running.work.length = 0
    running.activity.become(false)
    await turn()
    expect([running.host().quitQuestions.current(), app.exitCode, dialog.asked]).toEqual([null, null, []])
    app.quit()
    expect(await app.whenExited()).toBe(0)
  })

  it.each(['closing the window', 'Quit'])('does not hold up %s once nothing runs any more', async (how) => {
    const window = await startVisible()
    app.quit()
    running.host().quitQuestions.drawn((await asked()).id)
    running.work.length = 0
    if (how === 'Quit') app.quit()
    else window.close()
    expect([await app.whenExited(), running.closed]).toEqual([0, ['app']])
  })

  it.each(['unresponsive', 'crashed'])('is asked by the system’s dialog if the page is %s while it shows the question', async (how) => {
    const window = await startVisible()
    app.quit()
    running.host().quitQuestions.drawn((await asked()).id)
    if (how === 'crashed') window.webContents.falls('crashed')
    else window.emit('unresponsive')
    expect(await until(() => dialog.asked.find(({ message }) => message === 'Work is still running'))).toBeDefined()
  })
})

describe('a signal from outside', () => {
  it.each(SIGNALS)('%s ends the app at once and without a question, although something runs', async (name) => {
    await start()
    running.work.push({ title: 'One', what: 'a turn' })
    running.signal(name)
    expect([await exitOrQuestion(), dialog.asked, running.closed]).toEqual([0, [], ['app']])
  })

  it('ends the app while the question is open, and the late answer changes nothing', async () => {
    const window = await start()
    running.work.push({ title: 'One', what: 'a turn' })
    const thinking = Promise.withResolvers<void>()
    dialog.thinking = thinking.promise
    dialog.answers.push(KEEP)
    app.quit()
    running.signal('SIGTERM')
    thinking.resolve()
    expect([await app.whenExited(), running.closed]).toEqual([0, ['app']])
    await turn()
    expect([window.isDestroyed(), Tray.shown]).toEqual([false, null])
  })

  it('ends an app that runs without a window', async () => {
    const window = await start()
    running.work.push({ title: 'One', what: 'a turn' })
    dialog.answers.push(KEEP)
    app.quit()
    await until(() => window.isDestroyed() || null)
    running.signal('SIGHUP')
    expect([await exitOrQuestion(), dialog.asked.length]).toEqual([0, 1])
  })

  it('ends the app at once if it arrives before there is anything to close', async () => {
    const created = Promise.withResolvers<never>()
    running = await startDesktop({ parts: { createApp: () => created.promise } })
    await turn()
    running.signal('SIGTERM')
    expect([await app.whenExited(), dialog.asked]).toEqual([0, []])
  })

  it('ends the process at the second signal if the app has not closed yet', async () => {
    await start()
    running.signal('SIGINT')
    running.signal('SIGINT')
    expect([app.exitCode, running.closed]).toEqual([130, ['app']])
  })
})

/** Resolves to the exit code, or to the text of a question that was asked instead. */
const exitOrQuestion = async (): Promise<number | string> => {
  const asked = dialog.asked.length
  return until(() => app.exitCode ?? dialog.asked[asked]?.message)
}

describe('a window that cannot show its page', () => {
  it('becomes visible after 5 s if the page is never drawn', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    running = await startDesktop()
    BrowserWindow.draws = false
    const window = await running.window()
    expect(window.visible).toBe(false)
    vi.advanceTimersByTime(5_000)
    expect(window.visible).toBe(true)
  })

  it('becomes visible and shows an error if the first load fails, and the error is logged', async () => {
    running = await startDesktop({ beforeReady: () => void (FakeWebContents.loadsFail = true) })
    await until(() => dialog.errors[0])
    expect([BrowserWindow.all[0]?.visible, dialog.errors]).toEqual([
      true,
      [['The window could not load its page', expect.stringContaining('Your sessions are safe')]],
    ])
    const folder = join(running.dataFolder, 'crashes')
    expect(existsSync(folder) && readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8')).toContain('ERR_FAILED')
  })

  it('becomes visible if its process ends first, and a question about it has no hidden parent', async () => {
    running = await startDesktop()
    BrowserWindow.draws = false
    const window = await running.window()
    window.emit('unresponsive')
    await turn()
    expect([window.visible, dialog.parents]).toEqual([false, [false]])
    window.webContents.falls('crashed')
    expect(window.visible).toBe(true)
  })
})

import { existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { APP_ID } from '../../main/electron/desktop-shell.ts'
import { failed, ok } from '../../shared/lib/result.ts'
import { connect } from '../../shared/wire/connect.ts'
import { Bench, benchContract } from '../conformance/wire-bench.ts'
import { BrowserWindow, Menu, app, dialog } from '../support/fake-electron/electron.ts'
import { FakeEvent } from '../support/fake-electron/emitter.ts'
import {
  type DesktopOptions,
  type RunningDesktop,
  ActivityNow,
  ToldNow,
  ThemeChoice,
  desktopsHere,
  pageWire,
  until,
} from './running-desktop.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

const TROUBLE = { code: 'locked', what: 'It is locked.', kept: 'Everything is kept.', todo: 'Wait.' }

describe('desktop shell', () => {
  const startDesktop = desktopsHere()
  let running: RunningDesktop

  const start = async (options: DesktopOptions = {}): Promise<BrowserWindow> => {
    running = await startDesktop(options)
    return running.window()
  }
  const reports = (): readonly string[] => {
    const folder = join(running.dataFolder, 'crashes')
    return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
  }

  it('opens one window, hidden until the page is drawn, and answers the page’s calls', async () => {
    const window = await start()
    await until(() => window.visible || null)
    const client = connect(pageWire(window.webContents), benchContract)
    expect(await client.bench.echo({ text: 'hi' })).toEqual({ text: 'hi', connection: 'desktop-1', padded: 'none' })
    expect([window.options.show, BrowserWindow.all.length]).toEqual([false, 1])
  })

  it('macOS: while no window is open, the main process watches for sessions that need attention', async () => {
    const { platform } = process
    Object.defineProperty(process, 'platform', { value: 'darwin' })
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }))
    const window = await start()
    expect(running.withoutWindow).toEqual([])
    window.destroy()
    expect(running.withoutWindow.map(({ aborted }) => aborted)).toEqual([false])
    app.emit('activate', new FakeEvent())
    await until(() => BrowserWindow.all[0]?.webContents.page)
    expect(running.withoutWindow.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('macOS: a folder that is dropped on the Dock is shown, even if it comes before the first window', async () => {
    const event = new FakeEvent()
    await start({ beforeReady: () => app.emit('open-file', event, '/code/dropped') })
    expect([event.defaultPrevented, BrowserWindow.all[0]?.loaded]).toEqual([true, ['countersign-app://desk/#folder=%2Fcode%2Fdropped']])
  })

  it('Windows: the app has the id that its installer registers, as notifications require', async () => {
    await start()
    const appId = /^appId: (.*)$/m.exec(readFileSync(join(import.meta.dirname, '../../electron-builder.yml'), 'utf8'))?.[1]
    expect([app.userModelId, appId]).toEqual([APP_ID, APP_ID])
  })

  describe('the page’s process', () => {
    it('fault 56: after a crash the page is loaded again while the main process continues, and calls from the new page are answered', async () => {
      const window = await start()
      const lost = connect(pageWire(window.webContents), benchContract)
        .bench.later({ index: 1, turns: 0 })
        .then(() => 'answered')
      expect(await lost).toBe('answered')
      window.webContents.falls('crashed', 139)
      await until(() => window.webContents.page)
      const again = connect(pageWire(window.webContents), benchContract)
      expect(await again.bench.echo({ text: 'back' })).toMatchObject({ text: 'back', connection: 'desktop-2' })
      expect([window.webContents.loads, window.isDestroyed(), app.exitCode, running.closed]).toEqual([2, false, null, []])
      expect(reports()).toEqual([expect.stringContaining("the window's process has gone: crashed (139)")])
    })

    it('a call from the crashed page is aborted', async () => {
      const window = await start()
      void connect(pageWire(window.webContents), benchContract)
        .bench.wait({})
        .then(null, () => {})
      const { signal } = await running.bench.started()
      window.webContents.falls('oom')
      expect(signal.aborted).toBe(true)
    })

    it('a clean exit is not a crash', async () => {
      const window = await start()
      window.webContents.falls('clean-exit', 0)
      expect([window.webContents.page, reports()]).toEqual([null, []])
    })

    it.each([
      [0, 'shown again'],
      [1, 'closed'],
    ])('after a fourth crash within a minute the user is asked what to do (answer %i): %s', async (answer, outcome) => {
      const window = await start()
      for (let fall = 0; fall < 3; fall++) {
        window.webContents.falls('crashed')
        await until(() => window.webContents.page)
      }
      dialog.answers.push(answer)
      window.webContents.falls('crashed')
      if (outcome === 'closed') await until(() => window.isDestroyed() || null)
      else await until(() => window.webContents.page)
      expect(dialog.asked).toEqual([
        expect.objectContaining({ message: 'The window keeps crashing.', detail: 'Your sessions are safe: they run outside the window.' }),
      ])
      expect(window.isDestroyed()).toBe(outcome === 'closed')
    })

    it('for a page that hangs, one dialog offers a reload, and the user can choose to wait', async () => {
      const window = await start()
      dialog.answers.push(1)
      const thinking = Promise.withResolvers<void>()
      dialog.thinking = thinking.promise
      window.emit('unresponsive')
      window.emit('unresponsive')
      expect(dialog.asked.length).toBe(1)
      thinking.resolve()
      await new Promise((resolve) => setImmediate(resolve))
      expect(window.webContents.loads).toBe(1)
      dialog.answers.push(0)
      window.emit('unresponsive')
      await until(() => (window.webContents.loads === 2 ? true : null))
    })
  })

  describe('fault 57', () => {
    it('an uncaught error is logged without keys, and the app keeps running', async () => {
      vi.stubEnv('ANTHROPIC_API_KEY', 'canary-key-0123456789')
      await start()
      const own = process.listeners('uncaughtException').at(-1)
      own?.(new Error('helper failed with canary-key-0123456789 and sk-ant-api03-abcdefgh'), 'uncaughtException')
      const rejected = process.listeners('unhandledRejection').at(-1)
      rejected?.('plain rejection', Promise.resolve())
      const [first, second] = reports()
      expect(first).toContain('helper failed with [key] and [key]')
      expect(first).toMatch(/^Countersign 0\.1\.0, \w+ \w+\n.*\nIn: uncaught exception\n/)
      expect(second).toContain('In: unhandled rejection\n\nplain rejection')
      expect([app.exitCode, BrowserWindow.all.length]).toEqual([null, 1])
    })

    it('a bug in a handler fails its call and is logged', async () => {
      const window = await start()
      await connect(pageWire(window.webContents), benchContract)
        .bench.broken({})
        .then(null, () => {})
      expect(reports()).toEqual([expect.stringMatching(/In: bench\.broken\n\nError: a secret detail/)])
    })

    it('the exit of a helper process is logged', async () => {
      await start()
      app.emit('child-process-gone', new FakeEvent(), { type: 'GPU', reason: 'crashed' })
      expect(reports()).toEqual([expect.stringContaining('the GPU process has gone: crashed')])
    })

    it('the log contains no key that the user set', async () => {
      await start()
      const key = 'Zk3vQ9xT7bLm2RdW8sNc4e'
      await running.host().secrets.set('openai', key)
      app.emit('child-process-gone', new FakeEvent(), { type: 'Utility', reason: `quoted ${key}` })
      expect(reports()).toEqual([expect.stringContaining('the Utility process has gone: quoted [key]')])
    })
  })

  describe('fault 58: a second launch', () => {
    it('exits immediately without touching anything if the app is already running', async () => {
      const createApp = vi.fn(() => Promise.resolve(failed(TROUBLE)))
      running = await startDesktop({ parts: { createApp } })
      await app.whenReady()
      expect(app.exitCode).toBeNull()
      await running.stop()
      running = await startDesktop({
        parts: {
          createApp,
          dataFolder: () => {
            app.isFirst = false
            return ok(mkdtempSync(join(tmpdir(), 'countersign-second-')))
          },
        },
      })
      expect([app.exitCode, BrowserWindow.all.length, createApp.mock.calls.length]).toEqual([0, 0, 1])
    })

    /** Returns the data that a second start with these arguments passes to the first instance. */
    const handedOver = async (...argv: readonly string[]): Promise<unknown> => {
      const second = await startDesktop({
        argv,
        parts: {
          dataFolder: () => {
            app.isFirst = false
            return ok(mkdtempSync(join(tmpdir(), 'countersign-second-')))
          },
        },
      })
      const handed = structuredClone(app.additionalData)
      await second.stop()
      return handed
    }
    /** Passes the data to the first instance with other arguments, because Electron may reorder the arguments on the way. */
    const hears = (handed: unknown): void =>
      void app.emit(
        'second-instance',
        new FakeEvent(),
        ['--data', '/evil', 'countersign', 'countersign://session/s_9'],
        '/elsewhere',
        handed,
      )

    it.each([
      ['a folder', ['--folder', '/home/me/project'], '#folder=%2Fhome%2Fme%2Fproject'],
      ['a link, which overrides the other flags', ['--data', '/evil', 'countersign://session/s_1'], '#session=s_1'],
    ])('with %s: the window comes to the front and shows what was requested, without reloading', async (_, argv, fragment) => {
      const handed = await handedOver(...argv)
      const window = await start()
      window.minimized = true
      hears(handed)
      await until(() => window.loaded[1])
      expect([window.minimized, BrowserWindow.focused === window, window.loaded[1], window.webContents.loads, running.bench.calls]).toEqual(
        [false, true, `countersign-app://desk/${fragment}`, 1, []],
      )
    })

    it.each([
      ['nothing', () => handedOver()],
      ['a link that is not understood', () => handedOver('countersign://run?command=rm')],
      ['data in an unknown format', () => Promise.resolve({ show: { kind: 'command', command: 'rm' } })],
    ])('with %s: the window comes to the front, and nothing else happens', async (_, asked) => {
      const handed = await asked()
      const window = await start()
      hears(handed)
      await new Promise((resolve) => setImmediate(resolve))
      expect([window.loaded.length, BrowserWindow.focused === window]).toEqual([1, true])
    })

    it('macOS: a link that arrives before there is a window is shown by the first window', async () => {
      const event = new FakeEvent()
      const window = await start({ beforeReady: () => app.emit('open-url', event, 'countersign://session/s_2') })
      expect([event.defaultPrevented, window.loaded]).toEqual([true, ['countersign-app://desk/#session=s_2']])
    })
  })

  it('a link on the first command line disables other flags, because the link’s author may have added them', async () => {
    const dataFolders: (string | null)[] = []
    const options: DesktopOptions = { argv: ['.', '--data', '/evil', '--folder', '/evil', 'countersign://open?folder=/code/x'] }
    running = await startDesktop(options)
    const { dataFolder } = running
    const window = await running.window()
    expect(window.loaded).toEqual(['countersign-app://desk/#folder=%2Fcode%2Fx'])
    await running.stop()
    running = await startDesktop({
      ...options,
      parts: {
        dataFolder: (data) => {
          dataFolders.push(data)
          return ok(dataFolder)
        },
      },
    })
    expect(dataFolders).toEqual([null])
  })

  describe('quitting', () => {
    it('the pages are notified, then the app is closed, then the process ends', async () => {
      const window = await start()
      const page = pageWire(window.webContents)
      expect(await connect(page, benchContract).bench.later({ index: 1, turns: 0 })).toBe(1)
      const reason = new Promise((resolve) => page.onClose(resolve))
      app.quit()
      app.quit()
      expect([await app.whenExited(), await reason, running.closed, app.exitCode]).toEqual([0, 'Countersign is ending', ['app'], 0])
    })

    it('an app that fails while closing is logged, and the process exits with 1', async () => {
      const createApp = () =>
        Promise.resolve(
          ok({
            contract: benchContract,
            handlers: new Bench().handlers,
            notifyNeeds: () => Promise.resolve(),
            runningWork: () => [],
            theme: new ThemeChoice(),
            followActivity: new ActivityNow().follow,
            followNeeds: new ToldNow(0).follow,
            followFolders: new ToldNow<readonly string[]>([]).follow,
            wantsNotifications: () => false,
            updatesWanted: () => 'off',
            wokeUp: () => {},
            close: () => Promise.reject(new Error('disk on fire')),
          }),
        )
      await start({ parts: { createApp } })
      app.quit()
      expect([await app.whenExited(), reports()]).toEqual([1, [expect.stringContaining('Error: disk on fire')]])
    })

    // On macOS the app keeps running without windows.
    it.skipIf(process.platform === 'darwin')('closing the last window ends the app', async () => {
      const window = await start()
      window.destroy()
      expect([await app.whenExited(), running.closed]).toEqual([0, ['app']])
    })
  })

  describe('an error that prevents the start is shown, and the process exits with 1', () => {
    const box = (what: string, kept: string, todo: string): readonly [string, string] => [
      'Countersign cannot start',
      [what, kept, todo].join('\n\n'),
    ]

    it('an app that cannot be created', async () => {
      running = await startDesktop({ parts: { createApp: () => Promise.resolve(failed(TROUBLE)) } })
      expect([await app.whenExited(), dialog.errors]).toEqual([1, [box(TROUBLE.what, TROUBLE.kept, TROUBLE.todo)]])
    })

    it('a data folder that cannot be used', async () => {
      running = await startDesktop({ parts: { dataFolder: () => failed(TROUBLE) } })
      expect([await app.whenExited(), dialog.errors.length, BrowserWindow.all.length]).toEqual([1, 1, 0])
    })

    it('a page that was not built', async () => {
      running = await startDesktop({ parts: { pageFolder: '/nowhere' } })
      expect([await app.whenExited(), dialog.errors[0]?.[1]]).toEqual([1, expect.stringContaining('npm run build')])
    })

    it('a bug, which is logged as well', async () => {
      running = await startDesktop({ parts: { createApp: () => Promise.reject(new Error('surprise')) } })
      expect([await app.whenExited(), dialog.errors[0]?.[1], reports()]).toEqual([
        1,
        expect.stringContaining('surprise'),
        [expect.stringContaining('In: start\n\nError: surprise')],
      ])
    })
  })

  describe('packaged', () => {
    beforeEach(async () => {
      await start({ isPackaged: true })
    })

    it('no key or menu item opens developer tools, and the app is registered for its own links', () => {
      const labels = JSON.stringify(Menu.applied?.template)
      expect([BrowserWindow.all[0]?.options.webPreferences?.devTools, labels.includes('toggleDevTools'), app.protocols]).toEqual([
        false,
        false,
        ['countersign'],
      ])
    })

    it('the menu opens a second window, which works like the first', async () => {
      const file = Menu.applied?.template.find(({ label }) => label === 'File')
      const [newWindow] = (file?.submenu ?? []) as { readonly label: string; readonly click: () => void }[]
      newWindow?.click()
      const second = await until(() => BrowserWindow.all[1]?.webContents.page && BrowserWindow.all[1])
      expect(await connect(pageWire(second.webContents), benchContract).bench.later({ index: 3, turns: 0 })).toBe(3)
    })
  })

  it('when run from source, the app has developer tools and is not registered for links', async () => {
    const window = await start()
    expect([
      window.options.webPreferences?.devTools,
      JSON.stringify(Menu.applied?.template).includes('toggleDevTools'),
      app.protocols,
    ]).toEqual([true, true, []])
  })
})

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { ok } from '../../shared/lib/result.ts'
import { BrowserWindow, Menu, app } from '../support/fake-electron/electron.ts'
import { FakeEvent } from '../support/fake-electron/emitter.ts'
import { desktopsHere, until } from './running-desktop.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

const startDesktop = desktopsHere()

/** A data folder in which these windows were open when the app last ended. */
function dataWith(windows: string): string {
  const data = mkdtempSync(join(tmpdir(), 'countersign-windows-'))
  mkdirSync(join(data, 'desktop'))
  writeFileSync(join(data, 'desktop', 'windows.json'), windows)
  return data
}

const shows = (window: BrowserWindow, sessionId: string): void =>
  void window.webContents.emit('did-navigate-in-page', new FakeEvent(), `countersign-app://desk/#at=${sessionId}`, true)

it('the windows that were open at the end open again, each with its session and under its own name', async () => {
  const data = dataWith('[]')
  const running = await startDesktop({ parts: { dataFolder: () => ok(data) } })
  const first = await running.window()
  shows(first, 'one')
  Menu.applied?.click('New Window')
  const second = await until(() => BrowserWindow.all[1])
  await until(() => second.webContents.page)
  shows(second, 'two')
  app.quit()
  await app.whenExited()
  await startDesktop({ parts: { dataFolder: () => ok(data) } })
  await until(() => BrowserWindow.all[1]?.webContents.page)
  expect(new Set(BrowserWindow.all.map(({ loaded }) => loaded[0]))).toEqual(
    new Set(['countersign-app://desk/#at=one', 'countersign-app://desk/#at=two']),
  )
  expect(new Set(BrowserWindow.all.map(({ options }) => options.name))).toEqual(new Set(['desk-1', 'desk-2']))
})

it.each([
  ['each at the place where it was', ['desk-2', 'desk-1', 'desk-3'], ['desk-1', 'desk-3', 'desk-2']],
  ['also from a damaged list in which two have one name', ['desk-1', 'desk-1', 'desk-3'], ['desk-1', 'desk-3', 'desk-2']],
])('the windows open again %s, and the first is at the front', async (_, kept, open) => {
  const data = dataWith(JSON.stringify(kept.map((name, at) => ({ name, sessionId: `session-${at}` }))))
  await startDesktop({ parts: { dataFolder: () => ok(data) } })
  await until(() => BrowserWindow.all[2]?.webContents.page)
  expect(BrowserWindow.all.map(({ options }) => options.name)).toEqual(open)
  expect(BrowserWindow.all.map(({ loaded }) => loaded[0]?.split('=')[1])).toEqual(['session-1', 'session-2', 'session-0'])
})

it('a window that was closed before the end does not open again', async () => {
  const data = dataWith('[{"name":"desk-1","sessionId":"one"},{"name":"desk-2","sessionId":"two"}]')
  const running = await startDesktop({ parts: { dataFolder: () => ok(data) } })
  await running.window()
  await until(() => BrowserWindow.all[1]?.webContents.page)
  const [first] = BrowserWindow.all
  first?.close()
  await until(() => (BrowserWindow.all.length === 1 ? true : null))
  expect(JSON.parse(readFileSync(join(data, 'desktop', 'windows.json'), 'utf8'))).toHaveLength(1)
})

it.each(['', '{"a":1}', '[{"name":"../x","sessionId":null}]'])('with the damaged list %j one window opens', async (text) => {
  const data = dataWith(text)
  const running = await startDesktop({ parts: { dataFolder: () => ok(data) } })
  expect((await running.window()).loaded).toEqual(['countersign-app://desk/'])
  expect(BrowserWindow.all).toHaveLength(1)
})

it('a start with a folder opens one window, because each window of that start would ask about the folder', async () => {
  const data = dataWith('[{"name":"desk-1","sessionId":"one"},{"name":"desk-2","sessionId":"two"}]')
  const running = await startDesktop({ argv: ['--folder', '/srv/tides'], parts: { dataFolder: () => ok(data) } })
  await running.window()
  expect(BrowserWindow.all).toHaveLength(1)
})

import type { Display } from 'electron'
import { FakeApp } from './fake-app.ts'
import { FakeEmitter, FakeEvent } from './emitter.ts'
import { FakeNet } from './fake-net.ts'
import { FakeProtocol, FakeSession } from './fake-session.ts'
import {
  FakeClipboard,
  FakeDialog,
  FakeMenu,
  FakeNativeImage,
  FakeNativeTheme,
  FakeNotification,
  FakePowerSaveBlocker,
  FakeSafeStorage,
  FakeShell,
  FakeTray,
} from './fake-system.ts'
import { FakeWebContents, type ToMain } from './fake-web-contents.ts'
import { FakeBrowserWindow } from './fake-window.ts'
import { Strict } from './strict.ts'

/**
 * Stands in for Electron's main process in tests: `vi.mock('electron', () => import('…/fake-electron/electron.ts'))`. Every part is typed
 * against the real declarations. The fake behaves as Electron does where we rely on Electron, including its unsafe defaults. A member that
 * the fake does not have throws.
 */
class FakeIpcMain extends FakeEmitter {}

class FakeSessionModule extends Strict {
  defaultSession = new FakeSession()
  readonly partitions = new Map<string, FakeSession>()

  /** As in Electron, listeners of \`session-created\` have run when this returns. */
  fromPartition(partition: string, _options?: { readonly cache: boolean }): FakeSession {
    const known = this.partitions.get(partition)
    if (known !== undefined) return known
    const created = new FakeSession()
    this.partitions.set(partition, created)
    app.emit('session-created', created)
    return created
  }
}

/** Electron's own updater, which macOS needs. Here it only tells that the app is about to quit. */
class FakeAutoUpdater extends FakeEmitter {}

/** Tells when the computer falls asleep and wakes up. */
class FakePowerMonitor extends FakeEmitter {}

/** The main screen. As in Electron, it cannot be used before the app is ready. */
class FakeScreen extends Strict {
  workAreaSize = { width: 1920, height: 1040 }

  getPrimaryDisplay(): Pick<Display, 'workAreaSize'> {
    if (!app.isReady) throw new Error("The 'screen' module can't be used before the app 'ready' event")
    return { workAreaSize: this.workAreaSize }
  }
}

export const app = new FakeApp()
export const screen = new FakeScreen()
export const clipboard = new FakeClipboard()
export const dialog = new FakeDialog()
export const ipcMain = new FakeIpcMain()
export const nativeTheme = new FakeNativeTheme()
export const autoUpdater = new FakeAutoUpdater()
export const net = new FakeNet(() => session.defaultSession)
export const powerMonitor = new FakePowerMonitor()
export const powerSaveBlocker = new FakePowerSaveBlocker()
export const protocol = new FakeProtocol(() => app.isReady)
export const safeStorage = new FakeSafeStorage()
export const session = new FakeSessionModule()
export const shell = new FakeShell()
export {
  FakeBrowserWindow as BrowserWindow,
  FakeMenu as Menu,
  FakeNotification as Notification,
  FakeTray as Tray,
  FakeNativeImage as nativeImage,
}

const toMain: ToMain = (sender, senderFrame, channel, args) => {
  const event = FakeEvent.with({ type: 'frame', sender, senderFrame, ports: [] })
  ipcMain.emit(channel, event, ...args)
}

/** Resets the fake to a machine on which nothing has started yet. */
export function resetFakeElectron(): void {
  Object.defineProperty(process, 'resourcesPath', { value: '/nowhere/resources', configurable: true, writable: true })
  app.reset()
  dialog.reset()
  ipcMain.forgetListeners()
  powerMonitor.forgetListeners()
  powerSaveBlocker.blocking.clear()
  protocol.schemes = []
  safeStorage.reset()
  session.defaultSession = new FakeSession()
  session.partitions.clear()
  autoUpdater.forgetListeners()
  shell.reset()
  screen.workAreaSize = { width: 1920, height: 1040 }
  FakeMenu.applied = null
  FakeMenu.opened = null
  clipboard.text = ''
  FakeTray.shown = null
  FakeTray.isRefused = false
  FakeWebContents.loadsFail = false
  nativeTheme.reset()
  FakeNotification.supported = true
  FakeNotification.refusal = null
  FakeNotification.all.length = 0
  FakeBrowserWindow.reset({
    toMain,
    defaultSession: () => session.defaultSession,
    onContents: (contents) => app.emit('web-contents-created', new FakeEvent(), contents),
    onLastClosed: () => app.emit('window-all-closed'),
  })
}

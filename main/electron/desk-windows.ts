import { BrowserWindow, app, dialog, powerMonitor, session, shell } from 'electron'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { UpdatesWanted } from '../../shared/api/updates.ts'
import type { QuitAnswer, RunningWork, SystemTrouble } from '../../shared/api/app.ts'
import { type Disposable, DisposableStore } from '../../shared/lib/disposable.ts'
import type { Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Contract } from '../../shared/wire/contract.ts'
import { serve } from '../../shared/wire/serve.ts'
import type { SandboxUse } from '../compose/sandbox-use.ts'
import type { Host } from '../host.ts'
import { type AssetTable, readAssetTable } from '../http/asset-table.ts'
import type { ServedApp } from '../http/browser-shell.ts'
import { pendingSecrets } from '../settings/pending-secrets.ts'
import { QuitQuestions } from '../quit-questions.ts'
import { SystemTroubleList } from '../system-troubles.ts'
import { type CrashReports, hiddenFromReports } from './crash-report.ts'
import { ABOUT, commandFragment, type DeepLink, SecondStart, fragmentOf, shownFragment } from './launch/deep-link.ts'
import { desktopFlags } from './launch/desktop-flags.ts'
import { desktopHost } from './desktop-host.ts'
import { guardContents, lockSession } from './page/page-guards.ts'
import { openIpcServer } from './ipc-server.ts'
import { desktopSecrets } from './keychain-secrets.ts'
import { createLinkOpener } from './link-opener.ts'
import { offerContextMenu } from './context-menu.ts'
import { setMenu } from './menu.ts'
import { type ChosenTheme, followTheme } from './native-theme.ts'
import { servePage } from './page/page-protocol.ts'
import { askBeforeQuit } from './quit-question.ts'
import { type FollowActivity, stayAwake } from './power.ts'
import { type TrayIcon, openTray } from './tray.ts'
import { type FollowNeeds, showWaiting } from './waiting-badge.ts'
import { OpenWindows } from './open-windows.ts'
import { readKeptWindows } from './window-memory.ts'
import { AppUpdates } from './updates/app-updates.ts'
import { type UpdateMeans, electronUpdaterSource } from './updates/electron-updater-source.ts'
import { recoverFromCrashes } from './page/page-crash-recovery.ts'
import { loadPage, openWindow } from './window.ts'

export interface AppPlan {
  readonly host: Host
  readonly dataFolder: string
  /** A folder from the command line that is opened first. */
  readonly openFolder: string | null
  readonly sandbox: SandboxUse
}

/** The app as the desktop shell uses it. */
export interface DesktopApp<C extends Contract> extends ServedApp<C> {
  /** Until the signal aborts, shows a notification whenever a session begins to need the user. */
  notifyNeeds(signal: AbortSignal): Promise<void>
  /** The turns and commands that quitting would end. */
  runningWork(): readonly RunningWork[]
  readonly theme: ChosenTheme
  readonly followActivity: FollowActivity
  readonly followNeeds: FollowNeeds
  /** Calls the listener with the folders of the latest sessions, newest first, at once and after each change. */
  followFolders(listener: (folders: readonly string[]) => void): Disposable
  /** The setting for new versions. */
  updatesWanted(): UpdatesWanted
  /** Whether the user wants notifications. */
  wantsNotifications(): boolean
  /** To be called when the computer wakes up, because connections may be lost. */
  wokeUp(): void
}

export interface DeskParts<C extends Contract> {
  /** The folder of the built page. `preload`: the built preload file. */
  readonly pageFolder: string
  readonly preload: string
  readonly dataFolder: string
  /** The folder where Chromium keeps its files. */
  readonly profile: string
  readonly sandbox: SandboxUse
  /** What to tell the user if pages run without Chromium's sandbox. */
  readonly unconfined: SystemTrouble | null
  readonly reports: CrashReports
  readonly updates: UpdateMeans
  readonly createApp: (plan: AppPlan) => Promise<Result<DesktopApp<C>, Trouble>>
}

/**
 * How long the app may take to close, in ms. This includes the 2 s that its commands get between TERM and KILL. `leave`: the system is
 * shutting down and does not wait longer.
 */
const CLOSE_MS = { install: 20_000, leave: 8_000 } as const

const LOAD_FAILED =
  'Your sessions are safe: they run outside the window.\n\nClose the window and start Countersign again. If this happens again, install Countersign again.'

/** The windows of one running app. */
export class DeskWindows<C extends Contract> {
  readonly #parts: DeskParts<C>
  readonly #openLink = createLinkOpener()
  readonly #quitQuestions = new QuitQuestions()
  readonly #updates: AppUpdates
  readonly #windows: OpenWindows
  /** What a link or a second instance requested before the first window opened. */
  #asked: DeepLink | null = null
  #app: DesktopApp<C> | null = null
  /** Aborted when a window opens. On macOS, the app continues to run without a window. */
  #withoutWindow: AbortController | null = null
  #door: Disposable | null = null
  readonly #following = new DisposableStore()
  #recent: readonly string[] = []
  #connections = 0
  #ending = false
  #asking = false
  /** Whether the user chose to keep the work running without a window. */
  #keepsRunning = false
  #tray: TrayIcon | null = null
  /** The number of sessions that wait for the user. */
  #waiting = 0

  constructor(parts: DeskParts<C>) {
    this.#parts = parts
    this.#windows = new OpenWindows(parts.profile)
    const { updates: means } = parts
    const source = electronUpdaterSource(process.resourcesPath, means, process.platform)
    this.#updates = new AppUpdates({ means, source, now: Date.now, quit: () => this.#app && void this.#quit(this.#app) })
  }

  /** Call before the app is ready, so that every session and every page is guarded from the start. */
  listen(): void {
    app.on('session-created', lockSession)
    app.on('web-contents-created', (_event, contents) => guardContents(contents, (url) => void this.#openLink(url)))
    app.on('second-instance', (_event, _argv, _cwd, data) => this.show(SecondStart.safeParse(data).data?.show ?? null))
    app.on('open-url', (event, url) => {
      event.preventDefault()
      this.show(desktopFlags([url], '/').link)
    })
    // macOS sends this when a folder is dropped on the Dock or opened with the app.
    app.on('open-file', (event, path) => {
      event.preventDefault()
      this.show({ kind: 'folder', folder: path })
    })
    app.on('child-process-gone', (_event, { type, reason }) =>
      this.#parts.reports.write(`the ${type} process has gone: ${reason}`, 'child process'),
    )
    app.on('window-all-closed', () => {
      if (process.platform !== 'darwin' && !this.#keepsRunning) app.quit()
    })
    app.on('activate', () => this.show(null))
    app.on('before-quit', (event) => {
      if (this.#app === null) return
      event.preventDefault()
      void this.#quit(this.#app)
    })
  }

  /** Resolves to null when the first window has opened, or to the reason why it could not be opened. */
  async open(folder: string | null, link: DeepLink | null): Promise<Trouble | null> {
    const { pageFolder, dataFolder, sandbox, unconfined, createApp } = this.#parts
    const assets = await readAssetTable(pageFolder)
    if (!assets.ok) return assets.failure
    await app.whenReady()
    this.#endOnSignals()
    const secrets = hiddenFromReports(pendingSecrets(desktopSecrets(dataFolder)), this.#parts.reports)
    const systemTroubles = new SystemTroubleList()
    if (unconfined) systemTroubles.add(unconfined)
    const host = desktopHost({
      secrets,
      systemTroubles,
      quitQuestions: this.#quitQuestions,
      updates: this.#updates,
      openLink: this.#openLink,
      show: (what) => this.show(what),
    })
    const created = await createApp({ host, dataFolder, openFolder: folder, sandbox })
    if (!created.ok) return created.failure
    this.#serve(created.value, assets.value)
    const asked = this.#asked ?? link
    // With a folder, only one window opens, because every window would open the folder.
    if (folder === null) this.#openKeptWindows(asked)
    else this.show(asked)
    return null
  }

  #openKeptWindows(asked: DeepLink | null): void {
    const [first, ...others] = readKeptWindows(this.#parts.profile)
    // The first window opens last, so that it is at the front.
    for (const { sessionId, name } of others) this.#openWindow(shownFragment(sessionId), name)
    this.#openWindow(asked === null ? shownFragment(first?.sessionId ?? null) : fragmentOf(asked), first?.name)
  }

  /** Brings a window to the front, opens one if there is none, and shows `what` in it. */
  show(what: DeepLink | null): void {
    if (this.#app === null) {
      this.#asked = what ?? this.#asked
      return
    }
    this.#showFragment(fragmentOf(what))
  }

  /** `fragment`: the URL fragment that the page opens. If empty, the page stays where it is. */
  #showFragment(fragment: string): void {
    const window = BrowserWindow.getFocusedWindow() ?? this.#windows.all()[0]
    if (!window) return this.#openWindow(fragment)
    if (window.isMinimized()) window.restore()
    window.focus()
    if (fragment !== '') void loadPage(window, fragment)
  }

  #serve(served: DesktopApp<C>, assets: AssetTable): void {
    this.#app = served
    followTheme(served.theme, this.#windows.all)
    this.#following.add(stayAwake(served.followActivity))
    const windows = this.#windows.all
    this.#following.add(
      showWaiting({ follow: served.followNeeds, windows, isLoud: () => served.wantsNotifications(), platform: process.platform }),
    )
    this.#following.add(
      served.followNeeds((count) => {
        this.#waiting = count
        this.#tray?.show(count)
      }),
    )
    this.#following.add(this.#updates.start(() => served.updatesWanted()))
    powerMonitor.on('resume', () => served.wokeUp())
    lockSession(session.defaultSession)
    servePage(session.defaultSession, assets, (error) => this.#parts.reports.write(error, 'page'))
    this.#door = openIpcServer({
      isOurWindow: (contents) => this.#windows.all().some((window) => window.webContents.id === contents.id),
      onRefused: (why) => process.stderr.write(`refused: ${why}\n`),
      onWire: (wire) => {
        const connection = `desktop-${++this.#connections}`
        serve(wire, served.contract, served.handlers, { connection, onBug: (error, name) => this.#parts.reports.write(error, name) })
      },
    })
    this.#following.add(
      served.followFolders((folders) => {
        const [newest] = folders
        if (newest !== undefined && newest !== this.#recent[0]) app.addRecentDocument(newest)
        this.#recent = folders
        this.#setMenu()
      }),
    )
    this.#setMenu()
    if (app.isPackaged) app.setAsDefaultProtocolClient('countersign')
  }

  #setMenu(): void {
    setMenu({
      isMac: process.platform === 'darwin',
      devTools: !app.isPackaged,
      recent: this.#recent,
      newWindow: () => this.#openWindow(''),
      open: (folder) => this.show({ kind: 'folder', folder }),
      about: () => this.#showFragment(ABOUT),
      logs: () => void this.#showLogs(),
      run: (command) => this.#showFragment(commandFragment(command)),
    })
  }

  async #showLogs(): Promise<void> {
    const folder = join(this.#parts.dataFolder, 'crashes')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const why = await shell.openPath(folder)
    if (why !== '') dialog.showErrorBox('The folder could not be shown', `${why}\n\nThe logs are in ${folder}.`)
  }

  /** `wanted`: the name that the window had before the restart. */
  #openWindow(fragment: string, wanted: string | null = null): void {
    this.#withoutWindow?.abort()
    this.#keepsRunning = false
    this.#tray?.remove()
    this.#tray = null
    const { preload, reports } = this.#parts
    const name = this.#windows.freeName(wanted)
    const window = openWindow({
      name,
      preload,
      session: session.defaultSession,
      devTools: !app.isPackaged,
      fragment,
      onLoadFailed(error) {
        reports.write(error, 'page')
        dialog.showErrorBox('The window could not load its page', LOAD_FAILED)
      },
    })
    this.#windows.add(window, name)
    window.on('close', (event) => this.#onClose(event))
    // Windows ends the session without `before-quit`.
    window.on('session-end', () => this.#app && this.#end(this.#app, 'leave'))
    window.once('closed', () => {
      this.#windows.remove(window, this.#ending)
      if (this.#windows.size > 0) return
      // The page with the question is gone, so nobody could answer it.
      if (this.#app !== null && this.#app.runningWork().length > 0) this.#quitQuestions.giveUp()
      this.#notifyWithoutWindow()
    })
    window.on('unresponsive', () => this.#quitQuestions.giveUp())
    window.webContents.on('render-process-gone', () => this.#quitQuestions.giveUp())
    offerContextMenu(window)
    recoverFromCrashes(window, { onCrash: (why) => this.#parts.reports.write(why, 'window') })
  }

  /** Closing the last window quits, except on macOS. */
  #onClose(event: { preventDefault(): void }): void {
    const isLast = this.#windows.size === 1 && process.platform !== 'darwin'
    if (!isLast || this.#app === null || this.#ending || this.#app.runningWork().length === 0) return
    event.preventDefault()
    void this.#quit(this.#app)
  }

  /** Asks first if something is running. */
  async #quit(served: DesktopApp<C>): Promise<void> {
    if (this.#ending) return
    const work = served.runningWork()
    if (work.length === 0) return this.#end(served, 'install')
    if (this.#asking) return
    this.#asking = true
    const answer = await this.#ask(served, work).finally(() => (this.#asking = false))
    if (answer === 'stop') return this.#end(served, 'install')
    // The app may have ended while the question was open.
    if (this.#ending) return
    this.#updates.stay()
    if (answer === 'keep') this.#keepRunning()
  }

  /** If the work ends while the question is open, the question closes and the app keeps running. */
  async #ask(served: DesktopApp<C>, work: readonly RunningWork[]): Promise<QuitAnswer> {
    const over = new AbortController()
    const following = served.followActivity(() => served.runningWork().length === 0 && over.abort())
    return askBeforeQuit(work, process.platform, this.#quitQuestions, over.signal).finally(() => following.dispose())
  }

  /**
   * Nobody can answer a question when the system shuts down. Chromium sets its own handlers, which request an ordinary quit, after the main
   * script has run, so this must be called when the app is ready. A second signal ends the process immediately.
   */
  #endOnSignals(): void {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        if (this.#ending) return app.exit(130)
        if (this.#app === null) return app.quit()
        this.#end(this.#app, 'leave')
      })
    }
  }

  #keepRunning(): void {
    this.#keepsRunning = true
    if (process.platform !== 'darwin') {
      this.#tray ??= openTray({ open: () => this.show(null), quit: () => app.quit() }, (error) => this.#parts.reports.write(error, 'tray'))
      this.#tray?.show(this.#waiting)
    }
    this.#windows.destroyAll()
  }

  #notifyWithoutWindow(): void {
    this.#withoutWindow = new AbortController()
    this.#app?.notifyNeeds(this.#withoutWindow.signal).catch((error: unknown) => this.#parts.reports.write(error, 'notifications'))
  }

  /** `leave`: the system is shutting down, so no new version may be installed now. */
  #end(served: ServedApp<C>, updates: 'install' | 'leave'): void {
    if (this.#ending) return
    this.#ending = true
    this.#withoutWindow?.abort()
    this.#door?.dispose()
    this.#following.dispose()
    const late = setTimeout(() => {
      this.#parts.reports.write(`the app did not close within ${CLOSE_MS[updates]} ms`, 'close')
      app.exit(1)
    }, CLOSE_MS[updates])
    late.unref()
    served.close().then(
      () => {
        clearTimeout(late)
        if (updates === 'leave' || !this.#install()) app.exit(0)
      },
      (error: unknown) => {
        clearTimeout(late)
        this.#parts.reports.write(error, 'close')
        app.exit(1)
      },
    )
  }

  /** Installs a new version if one is ready. Returns true if Electron now quits by itself for that. */
  #install(): boolean {
    // Without an app, Electron's own quit asks no question again.
    this.#app = null
    try {
      return this.#updates.install()
    } catch (error) {
      this.#parts.reports.write(error, 'update')
      dialog.showErrorBox(
        'The new version was not installed',
        `${String(error)}\n\nYour sessions are safe. Install the new version by hand.`,
      )
      return false
    }
  }
}

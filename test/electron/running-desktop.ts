import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll } from 'vitest'
import preloadBuild from '../../preload/rolldown.config.ts'
import { type DesktopShellParts, startDesktopShell } from '../../main/electron/desktop-shell.ts'
import type { RunningWork } from '../../shared/api/app.ts'
import type { ChosenTheme } from '../../main/electron/native-theme.ts'
import type { FollowActivity } from '../../main/electron/power.ts'
import type { Settings } from '../../shared/api/setting-fields.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { Host } from '../../main/host.ts'
import { ipcWire } from '../../renderer/wire/ipc-wire.ts'
import { ok } from '../../shared/lib/result.ts'
import type { PreloadBridge } from '../../shared/wire/ipc-packet.ts'
import type { Wire } from '../../shared/wire/wire.ts'
import { Bench, benchContract } from '../conformance/wire-bench.ts'
import { builtPage } from '../http/shell-on-a-page.ts'
import { BrowserWindow, app, resetFakeElectron } from '../support/fake-electron/electron.ts'
import type { FakeWebContents } from '../support/fake-electron/fake-web-contents.ts'

/** Bundles the real preload with its own configuration. */
export async function builtPreload(): Promise<{ readonly file: string; dispose(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-preload-'))
  const { output, ...input } = preloadBuild as { readonly output: object } & Parameters<typeof rolldown>[0]
  const bundle = await rolldown(input)
  await bundle.write({ ...output, dir: folder })
  await bundle.close()
  return { file: join(folder, 'index.cjs'), dispose: () => rm(folder, { recursive: true }) }
}

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The theme in the settings, which a test changes. */
export class ThemeChoice implements ChosenTheme {
  readonly #changed = new Emitter<void>()
  #theme: Settings['theme'] = 'system'
  readonly current = (): Settings['theme'] => this.#theme
  readonly onChange = this.#changed.event

  choose(theme: Settings['theme']): void {
    this.#theme = theme
    this.#changed.fire()
  }
}

/** A number or list that a test changes, and that is told at once. */
export class ToldNow<T> {
  readonly #changed = new Emitter<T>()
  #now: T
  constructor(now: T) {
    this.#now = now
  }

  readonly follow = (listener: (value: T) => void): Disposable => {
    listener(this.#now)
    return this.#changed.event(listener)
  }

  become(value: T): void {
    this.#now = value
    this.#changed.fire(value)
  }
}

/** Whether something runs, which a test changes. */
export class ActivityNow {
  readonly #changed = new Emitter<boolean>()
  readonly follow: FollowActivity = this.#changed.event

  become(isBusy: boolean): void {
    this.#changed.fire(isBusy)
  }
}

export interface RunningDesktop {
  readonly dataFolder: string
  readonly pageFolder: string
  readonly bench: Bench
  readonly host: () => Host
  readonly closed: readonly string[]
  /** One signal for each time that the shell began to show notifications without a window. */
  readonly withoutWindow: readonly AbortSignal[]
  /** What runs, as the app reports it. A test adds and removes entries. */
  readonly work: RunningWork[]
  /** The theme in the settings. */
  readonly chosen: ThemeChoice
  readonly activity: ActivityNow
  /** The number of sessions that wait for the user. */
  readonly needs: ToldNow<number>
  readonly folders: ToldNow<readonly string[]>
  /** How often the app was told that the computer woke up. */
  readonly wakes: () => number
  /** Resolves with the first window when its page is loaded. */
  window(): Promise<BrowserWindow>
  /** A signal from outside. As on a real Electron, it becomes an ordinary quit unless the shell listens for it. */
  signal(name: (typeof SIGNALS)[number]): void
  stop(): Promise<void>
}

export interface DesktopOptions {
  readonly argv?: readonly string[]
  readonly isPackaged?: boolean
  readonly parts?: Partial<DesktopShellParts<typeof benchContract>>
  /** Runs before the shell starts. */
  readonly beforeStart?: () => void
  /** Runs after Electron has started and before it is ready. */
  readonly beforeReady?: () => void
}

/** Starts the real desktop shell on the fake Electron, with a small real contract. */
export async function runningDesktop(preload: string, options: DesktopOptions = {}): Promise<RunningDesktop> {
  resetFakeElectron()
  app.isPackaged = options.isPackaged ?? false
  options.beforeStart?.()
  const { folder: pageFolder } = await builtPage()
  const dataFolder = await mkdtemp(join(tmpdir(), 'countersign-desktop-'))
  const before = new Map(
    (['uncaughtException', 'unhandledRejection', ...SIGNALS] as const).map((name) => [name, process.listeners(name as 'SIGTERM')]),
  )
  const added = (name: string): NodeJS.SignalsListener[] =>
    process.listeners(name as 'SIGTERM').filter((listener) => !before.get(name as 'SIGTERM')?.includes(listener))
  const bench = new Bench()
  const closed: string[] = []
  const work: RunningWork[] = []
  const withoutWindow: AbortSignal[] = []
  const chosen = new ThemeChoice()
  const activity = new ActivityNow()
  const needs = new ToldNow(0)
  const folders = new ToldNow<readonly string[]>([])
  let wakes = 0
  let host: Host | null = null
  startDesktopShell({
    argv: options.argv ?? [],
    pageFolder,
    preload,
    dataFolder: () => ok(dataFolder),
    createApp: (plan) => {
      host = plan.host
      const close = (): Promise<void> => Promise.resolve(void closed.push('app'))
      const notifyNeeds = (signal: AbortSignal): Promise<void> => Promise.resolve(void withoutWindow.push(signal))
      return Promise.resolve(
        ok({
          contract: benchContract,
          handlers: bench.handlers,
          notifyNeeds,
          runningWork: () => work,
          theme: chosen,
          followActivity: activity.follow,
          followNeeds: needs.follow,
          followFolders: folders.follow,
          wantsNotifications: () => true,
          updatesWanted: () => 'install',
          wokeUp: () => void wakes++,
          close,
        }),
      )
    },
    ...options.parts,
  })
  options.beforeReady?.()
  app.becomeReady()
  return {
    dataFolder,
    pageFolder,
    bench,
    closed,
    withoutWindow,
    work,
    chosen,
    activity,
    needs,
    folders,
    wakes: () => wakes,
    host: () => host ?? notYet(),
    window: () => until(() => BrowserWindow.all.find((window) => window.webContents.page !== null)),
    signal(name) {
      const listeners = added(name)
      if (listeners.length === 0) app.quit()
      for (const listener of listeners) listener(name)
    },
    async stop() {
      for (const name of before.keys()) {
        for (const listener of added(name)) process.off(name, listener)
      }
      await rm(pageFolder, { recursive: true, force: true })
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

const notYet = (): never => {
  throw new Error('the app has not been created yet')
}

/** Waits until `find` returns a value, one turn of the event loop at a time. Only the test's time limit stops it. */
export async function until<T>(find: () => T | null | undefined): Promise<T> {
  for (let found = find(); ; found = find()) {
    if (found !== null && found !== undefined) return found
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Returns the wire of our page in a window: the real renderer wire over what the real preload exposed. */
export function pageWire(contents: FakeWebContents): Wire {
  return ipcWire(bridgeOf(contents))
}

export function bridgeOf(contents: FakeWebContents): PreloadBridge {
  const bridge = contents.page?.world['countersign']
  if (bridge === undefined) throw new Error('the preload has exposed nothing')
  return bridge as PreloadBridge
}

/**
 * Starts desktops in the tests of this file or group, with one preload for all of them. What a test started is stopped after the test.
 */
export function desktopsHere(): (options?: DesktopOptions) => Promise<RunningDesktop> {
  let preload: Awaited<ReturnType<typeof builtPreload>> | null = null
  const started: RunningDesktop[] = []
  beforeAll(async () => {
    preload = await builtPreload()
  })
  afterEach(async () => {
    for (const desktop of started.splice(0)) await desktop.stop()
  })
  afterAll(() => preload?.dispose())
  return async (options) => {
    const desktop = await runningDesktop(preload?.file ?? '', options)
    started.push(desktop)
    return desktop
  }
}

import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron'
import { FakeEmitter, FakeEvent } from './emitter.ts'
import type { FakeSession } from './fake-session.ts'
import { FakeWebContents, type ToMain } from './fake-web-contents.ts'

type Known = Pick<
  BrowserWindow,
  | 'close'
  | 'isVisible'
  | 'destroy'
  | 'flashFrame'
  | 'setProgressBar'
  | 'focus'
  | 'isDestroyed'
  | 'isMinimized'
  | 'loadURL'
  | 'restore'
  | 'setBackgroundColor'
  | 'show'
>

/** What windows need from the app around them. */
export interface Surroundings {
  readonly toMain: ToMain
  readonly defaultSession: () => FakeSession
  readonly onContents: (contents: FakeWebContents) => void
  readonly onLastClosed: () => void
}

export class FakeBrowserWindow extends FakeEmitter implements Known {
  static surroundings: Surroundings
  static readonly all: FakeBrowserWindow[] = []
  static focused: FakeBrowserWindow | null = null
  /** False if pages load but are never drawn, as with a broken graphics driver. */
  static draws = true

  static getAllWindows(): BrowserWindow[] {
    return [...this.all] as unknown as BrowserWindow[]
  }

  static getFocusedWindow(): BrowserWindow | null {
    return this.focused as unknown as BrowserWindow | null
  }

  readonly options: BrowserWindowConstructorOptions
  readonly webContents: FakeWebContents
  visible: boolean
  minimized = false
  background: string
  flashes = false
  /** The progress on the window's button in the task bar, with its mode. Null if there is none. */
  progress: string | null = null
  readonly loaded: string[] = []
  #destroyed = false

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super()
    if (options.name !== undefined && FakeBrowserWindow.all.some((other) => other.options.name === options.name))
      throw new Error(`Window name '${options.name}' is already in use`)
    this.options = options
    this.visible = options.show ?? true
    this.background = options.backgroundColor ?? '#fff'
    const { surroundings } = FakeBrowserWindow
    const session = (options.webPreferences?.session as unknown as FakeSession | undefined) ?? surroundings.defaultSession()
    this.webContents = new FakeWebContents(session, options.webPreferences ?? {}, surroundings.toMain)
    FakeBrowserWindow.all.push(this)
    surroundings.onContents(this.webContents)
  }

  async loadURL(url: string): Promise<void> {
    this.loaded.push(url)
    await this.webContents.load(url)
    if (FakeBrowserWindow.draws) this.emit('ready-to-show')
  }

  isVisible(): boolean {
    return this.visible
  }

  /** Closes the window as its user does, unless a listener prevents it. */
  close(): void {
    const event = new FakeEvent()
    this.emit('close', event)
    if (!event.defaultPrevented) this.destroy()
  }

  show(): void {
    this.visible = true
    FakeBrowserWindow.focused = this
  }

  setBackgroundColor(color: string): void {
    this.background = color
  }

  flashFrame(flag: boolean): void {
    this.flashes = flag
  }

  setProgressBar(progress: number, options: { readonly mode?: string } = {}): void {
    this.progress = progress < 0 ? null : `${progress} ${options.mode ?? 'normal'}`
  }

  focus(): void {
    FakeBrowserWindow.focused = this
    this.emit('focus')
  }

  restore(): void {
    this.minimized = false
  }

  isMinimized(): boolean {
    return this.minimized
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    const { all, surroundings } = FakeBrowserWindow
    all.splice(all.indexOf(this), 1)
    if (FakeBrowserWindow.focused === this) FakeBrowserWindow.focused = null
    this.webContents.destroy()
    this.emit('closed')
    if (all.length === 0) surroundings.onLastClosed()
  }

  static reset(surroundings: Surroundings): void {
    this.surroundings = surroundings
    this.all.length = 0
    this.focused = null
    this.draws = true
  }
}

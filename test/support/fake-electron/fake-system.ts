import { existsSync } from 'node:fs'
import type {
  Clipboard,
  Dialog,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  MessageBoxReturnValue,
  NativeTheme,
  NotificationConstructorOptions,
  OpenDialogOptions,
  OpenDialogReturnValue,
  PopupOptions,
  PowerSaveBlocker,
  ResizeOptions,
  SafeStorage,
  Shell,
  Tray,
} from 'electron'
import { FakeEmitter, FakeEvent } from './emitter.ts'
import { Strict } from './strict.ts'

/** Returns the last argument of a dialog's call, because the window argument before it is optional. */
const optionsOf = <T>(args: readonly unknown[]): T => args.at(-1) as T

export class FakeDialog extends Strict implements Pick<Dialog, 'showErrorBox'> {
  readonly asked: MessageBoxOptions[] = []
  /** For each question, whether it belongs to a window. */
  readonly parents: boolean[] = []
  readonly foldersAsked: OpenDialogOptions[] = []
  readonly errors: (readonly [string, string])[] = []
  /** The user's answers, in order. When no answer is left, the dialog returns `cancelId`. */
  readonly answers: number[] = []
  folders: readonly string[] = []
  /** Delays the answer until this promise resolves, as a user who is thinking would. */
  thinking: Promise<void> = Promise.resolve()

  showErrorBox(title: string, content: string): void {
    this.errors.push([title, content])
  }

  async showMessageBox(...args: readonly unknown[]): Promise<MessageBoxReturnValue> {
    const options = optionsOf<MessageBoxOptions>(args)
    this.asked.push(options)
    this.parents.push(args.length > 1)
    const response = this.answers.shift() ?? options.cancelId ?? 0
    await this.thinking
    return { response, checkboxChecked: false }
  }

  showOpenDialog(...args: readonly unknown[]): Promise<OpenDialogReturnValue> {
    this.foldersAsked.push(optionsOf(args))
    return Promise.resolve({ canceled: this.folders.length === 0, filePaths: [...this.folders] })
  }

  reset(): void {
    for (const list of [this.asked, this.parents, this.foldersAsked, this.errors, this.answers]) list.length = 0
    this.folders = []
    this.thinking = Promise.resolve()
  }
}

export class FakeShell extends Strict implements Pick<Shell, 'openExternal' | 'openPath' | 'showItemInFolder'> {
  readonly opened: string[] = []
  readonly shown: string[] = []
  readonly paths: string[] = []
  hasBrowser = true

  openExternal(url: string): Promise<void> {
    if (!this.hasBrowser) return Promise.reject(new Error('no application is registered for the scheme'))
    this.opened.push(url)
    return Promise.resolve()
  }

  showItemInFolder(path: string): void {
    this.shown.push(path)
  }

  /** Electron answers with an error as text, or with an empty text. */
  openPath(path: string): Promise<string> {
    if (!existsSync(path)) return Promise.resolve('The path does not exist.')
    this.paths.push(path)
    return Promise.resolve('')
  }

  reset(): void {
    this.opened.length = 0
    this.shown.length = 0
    this.paths.length = 0
    this.hasBrowser = true
  }
}

export class FakeNotification extends FakeEmitter {
  static supported = true
  /** Why the system refuses every notification. Null if it shows them. */
  static refusal: string | null = null
  static readonly all: FakeNotification[] = []

  static isSupported(): boolean {
    return this.supported
  }

  readonly options: NotificationConstructorOptions
  visible = false

  constructor(options: NotificationConstructorOptions) {
    super()
    this.options = options
    FakeNotification.all.push(this)
  }

  show(): void {
    this.visible = FakeNotification.refusal === null
    if (this.visible) this.emit('show', new FakeEvent())
    else this.emit('failed', new FakeEvent(), FakeNotification.refusal)
  }
}

type Backend = ReturnType<SafeStorage['getSelectedStorageBackend']>
type KnownStorage = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>

/** A keychain that reverses bytes, so that the key on disk differs from the real key and can be restored. */
export class FakeSafeStorage extends Strict implements KnownStorage {
  available = true
  locked = false
  /** Resolves when the user has answered the keychain's own question. */
  opening: Promise<void> = Promise.resolve()
  rotated = false
  backend: Backend = 'gnome_libsecret'
  encryptions = 0

  isAsyncEncryptionAvailable(): Promise<boolean> {
    return this.opening.then(() => this.available)
  }

  encryptStringAsync(text: string): Promise<Buffer> {
    if (this.locked) return Promise.reject(new Error(`cannot encrypt ${text}`))
    this.encryptions++
    return Promise.resolve(Buffer.concat([Buffer.from('v11'), turned(Buffer.from(text))]))
  }

  decryptStringAsync(sealed: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    if (this.locked || sealed.subarray(0, 3).toString() !== 'v11') return Promise.reject(new Error('cannot decrypt'))
    return Promise.resolve({ result: turned(sealed.subarray(3)).toString(), shouldReEncrypt: this.rotated })
  }

  getSelectedStorageBackend(): Backend {
    return this.backend
  }

  reset(): void {
    this.available = true
    this.locked = false
    this.opening = Promise.resolve()
    this.rotated = false
    this.backend = 'gnome_libsecret'
    this.encryptions = 0
  }
}

const turned = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0xff))

function itemsIn(items: readonly MenuItemConstructorOptions[]): readonly MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsIn(item.submenu) : [])])
}

export class FakeMenu extends Strict {
  static applied: FakeMenu | null = null
  /** The menu that was opened last by a right click. */
  static opened: FakeMenu | null = null

  static buildFromTemplate(template: MenuItemConstructorOptions[]): FakeMenu {
    return new FakeMenu(template)
  }

  static setApplicationMenu(menu: FakeMenu | null): void {
    this.applied = menu
  }

  readonly template: readonly MenuItemConstructorOptions[]

  /** The user chooses the item with this label, in this menu or in one of its submenus. */
  click(label: string): void {
    const item = itemsIn(this.template).find((one) => one.label === label)
    if (item === undefined) throw new Error(`the menu has no ${label}`)
    ;(item.click as (() => void) | undefined)?.()
  }

  popup(_options: PopupOptions): void {
    FakeMenu.opened = this
  }

  constructor(template: readonly MenuItemConstructorOptions[]) {
    super()
    this.template = template
  }
}

/** The theme of the system, and the one that the app chose for its own windows, menus and dialogs. */
export class FakeNativeTheme extends FakeEmitter implements Pick<NativeTheme, 'themeSource' | 'shouldUseDarkColors'> {
  isSystemDark = false
  #source: NativeTheme['themeSource'] = 'system'

  get themeSource(): NativeTheme['themeSource'] {
    return this.#source
  }

  set themeSource(source: NativeTheme['themeSource']) {
    this.#source = source
    this.emit('updated')
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? this.isSystemDark : this.#source === 'dark'
  }

  reset(): void {
    this.forgetListeners()
    this.isSystemDark = false
    this.#source = 'system'
  }
}

/** What keeps the system from falling asleep, by id. As in Electron, an id that is stopped is not used again. */
export class FakePowerSaveBlocker extends Strict implements Pick<PowerSaveBlocker, 'start' | 'stop'> {
  readonly blocking = new Map<number, Parameters<PowerSaveBlocker['start']>[0]>()
  #last = -1

  start(type: Parameters<PowerSaveBlocker['start']>[0]): number {
    this.#last += 1
    this.blocking.set(this.#last, type)
    return this.#last
  }

  stop(id: number): boolean {
    return this.blocking.delete(id)
  }
}

export class FakeClipboard extends Strict implements Pick<Clipboard, 'writeText'> {
  text = ''

  writeText(text: string): Promise<void> {
    this.text = text
    return Promise.resolve()
  }
}

/** An image that must exist as a file. Electron answers a missing file with an empty image, which the system shows as nothing. */
export class FakeNativeImage extends Strict {
  static createFromPath(path: string): FakeNativeImage {
    return new FakeNativeImage(existsSync(path))
  }

  readonly hasPixels: boolean

  constructor(hasPixels: boolean) {
    super()
    this.hasPixels = hasPixels
  }

  resize(_size: ResizeOptions): FakeNativeImage {
    return this
  }
}

type KnownTray = Pick<Tray, 'destroy' | 'setToolTip'>

export class FakeTray extends FakeEmitter implements KnownTray {
  static shown: FakeTray | null = null
  static isRefused = false

  readonly image: FakeNativeImage
  menu: FakeMenu | null = null
  toolTip = ''

  constructor(image: FakeNativeImage) {
    super()
    if (FakeTray.isRefused) throw new Error('the system has no tray')
    this.image = image
    FakeTray.shown = this
  }

  setToolTip(text: string): void {
    this.toolTip = text
  }

  setContextMenu(menu: FakeMenu | null): void {
    this.menu = menu
  }

  destroy(): void {
    FakeTray.shown = null
  }
}

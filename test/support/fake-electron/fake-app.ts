import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { App, CommandLine } from 'electron'
import { FakeEmitter, FakeEvent } from './emitter.ts'
import { Strict } from './strict.ts'

type Known = Pick<
  App,
  | 'addRecentDocument'
  | 'enableSandbox'
  | 'getName'
  | 'getPath'
  | 'releaseSingleInstanceLock'
  | 'exit'
  | 'getAppPath'
  | 'getVersion'
  | 'isPackaged'
  | 'quit'
  | 'requestSingleInstanceLock'
  | 'setAppUserModelId'
  | 'setAsDefaultProtocolClient'
  | 'setBadgeCount'
  | 'setPath'
  | 'whenReady'
>

/** Chromium's switches, without the dashes. */
class FakeCommandLine extends Strict implements Pick<CommandLine, 'hasSwitch' | 'appendSwitch' | 'getSwitchValue'> {
  readonly switches = new Map<string, string>()

  hasSwitch(name: string): boolean {
    return this.switches.has(name)
  }

  appendSwitch(name: string, value = ''): void {
    this.switches.set(name, value)
  }

  getSwitchValue(name: string): string {
    return this.switches.get(name) ?? ''
  }
}

/** Electron's `app`. Quitting can be prevented, and some calls throw once the app is ready. */
export class FakeApp extends FakeEmitter implements Known {
  isPackaged = false
  version = '0.1.0'
  readonly commandLine = new FakeCommandLine()
  /** These members record what the app did, for the tests. */
  readonly paths = new Map<string, string>()
  readonly protocols: string[] = []
  readonly recentDocuments: string[] = []
  badge = 0
  /** Only macOS has a Dock. */
  dock: { bounce(type: 'critical' | 'informational'): number } | undefined = undefined
  sandboxed = false
  isReady = false
  additionalData: Record<PropertyKey, unknown> | null = null
  userModelId: string | null = null
  exitCode: number | null = null
  /** False if another instance is already running. */
  isFirst = true
  #ready = Promise.withResolvers<void>()
  #exited = Promise.withResolvers<number>()

  enableSandbox(): void {
    if (this.isReady) throw new Error('app.enableSandbox() can only be called before app is ready')
    // Electron does this, so that a later look at the switch finds nothing.
    this.commandLine.switches.delete('no-sandbox')
    this.sandboxed = true
  }

  getAppPath(): string {
    return fileURLToPath(new URL('../../../', import.meta.url))
  }

  getName(): string {
    return 'Countersign'
  }

  getPath(name: Parameters<App['getPath']>[0]): string {
    const path = this.paths.get(name)
    if (path === undefined) throw new Error(`the fake electron does not know the path ${name}`)
    return path
  }

  releaseSingleInstanceLock(): void {
    this.isFirst = false
  }

  getVersion(): string {
    return this.version
  }

  setPath(name: string, path: string): void {
    if (!existsSync(path)) throw new Error(`Path ${path} does not exist`)
    this.paths.set(name, path)
  }

  /** A lock that a killed instance left behind refuses every later one. `additionalData` is what the first instance receives with `second-instance`. */
  requestSingleInstanceLock(additionalData: Record<PropertyKey, unknown> = {}): boolean {
    this.additionalData = additionalData
    return this.isFirst && !isLink(join(this.paths.get('userData') ?? '', 'SingletonLock'))
  }

  setAppUserModelId(id: string): void {
    this.userModelId = id
  }

  setAsDefaultProtocolClient(protocol: string): boolean {
    return this.protocols.push(protocol) > 0
  }

  setBadgeCount(count = 0): boolean {
    this.badge = count
    return true
  }

  addRecentDocument(path: string): void {
    this.recentDocuments.push(path)
  }

  whenReady(): Promise<void> {
    return this.#ready.promise
  }

  quit(): void {
    const event = new FakeEvent()
    this.emit('before-quit', event)
    if (!event.defaultPrevented) this.exit(0)
  }

  exit(code = 0): void {
    this.exitCode ??= code
    this.#exited.resolve(code)
  }

  becomeReady(): void {
    this.isReady = true
    this.#ready.resolve()
  }

  whenExited(): Promise<number> {
    return this.#exited.promise
  }

  reset(): void {
    this.forgetListeners()
    this.isPackaged = false
    this.version = '0.1.0'
    this.paths.clear()
    this.commandLine.switches.clear()
    this.protocols.length = 0
    this.recentDocuments.length = 0
    this.badge = 0
    this.dock = undefined
    this.sandboxed = false
    this.isReady = false
    this.exitCode = null
    this.additionalData = null
    this.isFirst = true
    this.#ready = Promise.withResolvers()
    this.#exited = Promise.withResolvers()
  }
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

import { createContext, runInContext } from 'node:vm'
import type { ContextBridge, IpcRenderer, WebFrameMain, WebUtils } from 'electron'
import { exposed } from './bridge.ts'
import { FakeEmitter } from './emitter.ts'
import { Strict } from './strict.ts'

/** How a page sends messages to the main process. */
export interface Reach {
  toMain(channel: string, args: readonly unknown[], frame: FakeFrame): void
}

export class FakeFrame extends Strict implements Pick<WebFrameMain, 'url' | 'detached'> {
  url: string
  readonly parent: WebFrameMain | null
  detached = false

  constructor(url: string, parent: FakeFrame | null = null) {
    super()
    this.url = url
    this.parent = parent as unknown as WebFrameMain | null
  }
}

class FakeIpcRenderer extends FakeEmitter implements Pick<IpcRenderer, 'send'> {
  readonly #send: (channel: string, args: readonly unknown[]) => void

  constructor(send: (channel: string, args: readonly unknown[]) => void) {
    super()
    this.#send = send
  }

  send(channel: string, ...args: unknown[]): void {
    this.#send(channel, structuredClone(args))
  }
}

class FakeContextBridge extends Strict implements Pick<ContextBridge, 'exposeInMainWorld'> {
  readonly #world: Record<string, unknown>

  constructor(world: Record<string, unknown>) {
    super()
    this.#world = world
  }

  exposeInMainWorld(key: string, api: unknown): void {
    if (Object.hasOwn(this.#world, key)) throw new Error(`Cannot bind an API on top of an existing property on the window object: ${key}`)
    Object.defineProperty(this.#world, key, { value: exposed(api), enumerable: true })
  }
}

/** Only a file that the user gave to the page has a path. */
class FakeWebUtils extends Strict implements Pick<WebUtils, 'getPathForFile'> {
  getPathForFile(file: File): string {
    if (!(file instanceof File)) throw new TypeError('getPathForFile needs a File')
    return ''
  }
}

/** The modules that a sandboxed preload may require. Our preload needs only Electron itself. */
const SANDBOX_MODULES = ['electron', 'electron/renderer']

/** A loaded document. The preload has run in its own world, and the page's world contains what the preload exposed. */
export class FakePage {
  readonly frame: FakeFrame
  /** The globals of the page's own world, in addition to those of the language. */
  readonly world: Record<string, unknown> = {}
  readonly #ipc: FakeIpcRenderer
  #alive = true

  constructor(url: string, preload: string, reach: Reach) {
    this.frame = new FakeFrame(url)
    this.#ipc = new FakeIpcRenderer((channel, args) => this.#alive && reach.toMain(channel, args, this.frame))
    this.#run(preload)
  }

  /** Receives a message from the main process. A page that is gone ignores it. */
  hear(channel: string, args: readonly unknown[]): void {
    if (this.#alive) this.#ipc.emit(channel, { sender: this.#ipc, ports: [] }, ...args)
  }

  /** Runs a script in the page's world. */
  evaluate(script: string): unknown {
    const context = createContext({ ...this.world })
    runInContext('globalThis.window = globalThis', context)
    return runInContext(script, context)
  }

  end(): void {
    this.#alive = false
    this.frame.detached = true
  }

  #run(preload: string): void {
    const electron = { ipcRenderer: this.#ipc, contextBridge: new FakeContextBridge(this.world), webUtils: new FakeWebUtils() }
    const require = (name: string): unknown => {
      if (!SANDBOX_MODULES.includes(name)) throw new Error(`module not found: ${name}`)
      return electron
    }
    const globals = { require, module: { exports: {} }, exports: {}, console, process: { sandboxed: true, contextIsolated: true } }
    runInContext(preload, createContext(globals), { filename: 'preload.cjs' })
  }
}

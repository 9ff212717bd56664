import { readFileSync } from 'node:fs'
import type { WebContents, WebPreferences, WindowOpenHandlerResponse } from 'electron'
import { FakeEmitter, FakeEvent } from './emitter.ts'
import { type FakeFrame, FakePage, type Reach } from './fake-page.ts'
import type { FakeSession } from './fake-session.ts'

type Known = Pick<WebContents, 'id' | 'isDestroyed' | 'send' | 'reload' | 'forcefullyCrashRenderer' | 'setWindowOpenHandler'>

let lastId = 0

/** Called for each `ipcRenderer.send`. */
export type ToMain = (contents: FakeWebContents, frame: FakeFrame, channel: string, args: readonly unknown[]) => void

/** The contents of one window. In tests it also plays the part of the browser and the page around them. */
export class FakeWebContents extends FakeEmitter implements Known {
  /** True if every load fails, as with a damaged archive. */
  static loadsFail = false
  /** A test that draws pages in a real browser replaces this. */
  static createPage = (url: string, preload: string, reach: Reach): FakePage => new FakePage(url, preload, reach)
  readonly id = ++lastId
  readonly session: FakeSession
  readonly preferences: WebPreferences
  page: FakePage | null = null
  url = ''
  /** The number of loaded documents. Changes within the same document are not counted. */
  loads = 0
  #destroyed = false
  #openHandler: ((details: { url: string }) => WindowOpenHandlerResponse) | null = null
  readonly #toMain: ToMain

  constructor(session: FakeSession, preferences: WebPreferences, toMain: ToMain) {
    super()
    this.session = session
    this.preferences = preferences
    this.#toMain = toMain
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.#destroyed) throw new TypeError('Object has been destroyed')
    const copy = structuredClone(args)
    const page = this.page
    queueMicrotask(() => page?.hear(channel, copy))
  }

  reload(): void {
    void this.load(this.url, true)
  }

  forcefullyCrashRenderer(): void {
    this.falls('killed')
  }

  setWindowOpenHandler(
    handler: (details: { url: string } & Parameters<Parameters<WebContents['setWindowOpenHandler']>[0]>[0]) => WindowOpenHandlerResponse,
  ): void {
    this.#openHandler = handler as (details: { url: string }) => WindowOpenHandlerResponse
  }

  /** Loads a URL that the browser itself opens. A change of only the fragment loads nothing, and an equal address loads again. */
  async load(url: string, anew = false): Promise<void> {
    const sameDocument = !anew && url !== this.url && this.page !== null && withoutFragment(url) === withoutFragment(this.url)
    this.url = url
    if (sameDocument && this.page) {
      this.page.frame.url = url
      this.emit('did-navigate-in-page', new FakeEvent(), url, true)
      return
    }
    const answer = FakeWebContents.loadsFail ? null : await this.session.load(withoutFragment(url))
    if (!(answer instanceof Response) || answer.status !== 200) {
      this.emit('did-fail-load', new FakeEvent(), -2, 'ERR_FAILED', url, true)
      throw Object.assign(new Error(`ERR_FAILED loading ${url}`), { code: 'ERR_FAILED' })
    }
    this.begins(url)
    this.emit('did-finish-load')
  }

  /** A document begins: the preload runs, and messages from the document before it no longer arrive. */
  begins(url: string): void {
    this.page?.end()
    this.loads++
    this.page = FakeWebContents.createPage(url, this.preferences.preload ? readFileSync(this.preferences.preload, 'utf8') : '', {
      toMain: (channel, args, frame) => queueMicrotask(() => this.#toMain(this, frame, channel, args)),
    })
  }

  /** A script, a click or a dropped file starts a navigation. Returns whether it was allowed. */
  navigates(url: string, frame: { readonly isMainFrame: boolean } = { isMainFrame: true }): boolean {
    const about = { url, isMainFrame: frame.isMainFrame, isSameDocument: false, frame: null }
    const every = FakeEvent.with(about)
    this.emit('will-frame-navigate', every)
    const main = FakeEvent.with(about)
    if (frame.isMainFrame) this.emit('will-navigate', main, url)
    return !every.defaultPrevented && !main.defaultPrevented
  }

  redirects(url: string): boolean {
    const event = FakeEvent.with({ url, isMainFrame: true, isSameDocument: false, frame: null })
    this.emit('will-redirect', event, url)
    return !event.defaultPrevented
  }

  /** `window.open`, a middle click or `target=_blank`. Without a handler Electron opens the window. */
  opens(url: string): boolean {
    return this.#openHandler?.({ url }).action !== 'deny'
  }

  attachesWebview(): boolean {
    const event = new FakeEvent()
    this.emit('will-attach-webview', event, {}, {})
    return this.preferences.webviewTag === true && !event.defaultPrevented
  }

  /** Sends a message as if it came from another frame of the page, or from one that is gone. */
  sendsFrom(frame: FakeFrame, channel: string, ...args: unknown[]): void {
    this.#toMain(this, frame, channel, structuredClone(args))
  }

  /** Ends the page's process. */
  falls(reason: string, exitCode = 5): void {
    this.page?.end()
    this.page = null
    this.emit('render-process-gone', new FakeEvent(), { reason, exitCode })
  }

  destroy(): void {
    this.page?.end()
    this.#destroyed = true
    this.emit('destroyed')
  }
}

const withoutFragment = (url: string): string => url.split('#', 1)[0] ?? ''

import type { Page, Route } from 'playwright/test'
import type { AssetResponse, ToDesktop } from './desktop-messages.ts'

const SCHEME = 'countersign-app://desk'
/** Chromium alone does not know the app's scheme, so the page has this origin. The app serves every request. */
const ORIGIN = 'https://desk.countersign.test'

/** The page of the desktop shell's window in the test's browser: with the app's own responses and headers, and the real preload. */
export class DrawnPage {
  /** What the page's content policy has blocked, as `directive: address`. */
  readonly violations: string[] = []
  readonly #page: Page
  readonly give: (message: ToDesktop) => void
  readonly #responses = new Map<number, (response: AssetResponse | null) => void>()
  #lastRequest = 0
  #untold: (readonly [string, readonly unknown[]])[] = []
  #isTelling = false

  constructor(page: Page, give: (message: ToDesktop) => void) {
    this.#page = page
    this.give = give
  }

  async attach(preload: string): Promise<void> {
    const page = this.#page
    await page.unrouteAll()
    // The window of another process is a new document, although it may have the same address.
    if (page.url().startsWith(`${ORIGIN}/`)) await page.goto('about:blank')
    await page.route('**/*', (route) => this.#answer(route))
    // A page that was attached to a desktop before keeps its bindings, so they lead to the newest one.
    const isNew = !attached.has(page)
    attached.set(page, this)
    if (!isNew) return
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) attached.get(page)?.give({ kind: 'moves', url: frame.url().replace(ORIGIN, SCHEME) })
    })
    await page.exposeBinding('toMain', (_source, channel: string, args: readonly unknown[]) =>
      attached.get(page)?.give({ kind: 'sends', channel, args }),
    )
    await page.exposeBinding('policyBlocked', (_source, what: string) => attached.get(page)?.violations.push(what))
    await page.addInitScript({ content: `(${aroundPreload.toString()})((require) => {\n${preload}\n})` })
  }

  addressOf(url: string): string {
    return url.replace(SCHEME, ORIGIN)
  }

  /** Main loads the page again. */
  async load(url: string): Promise<void> {
    const address = this.addressOf(url)
    // Going to an equal address with a fragment loads nothing.
    if (this.#page.url() === address) await this.#page.reload()
    else await this.#page.goto(address)
  }

  /** Main changes only the part of the address after the #. */
  ask(url: string): void {
    void this.#page.evaluate((hash) => void (location.hash = hash), new URL(url).hash)
  }

  respond(id: number, response: AssetResponse | null): void {
    this.#responses.get(id)?.(response)
    this.#responses.delete(id)
  }

  tell(channel: string, args: readonly unknown[]): void {
    this.#untold.push([channel, args])
    if (!this.#isTelling) void this.#tellAll()
  }

  /** Messages arrive in order, and those that wait meanwhile arrive together. */
  async #tellAll(): Promise<void> {
    this.#isTelling = true
    while (this.#untold.length > 0) {
      const messages = this.#untold
      this.#untold = []
      await this.#page
        .evaluate((all) => {
          const { fromMain } = globalThis as unknown as { readonly fromMain?: (channel: string, args: readonly unknown[]) => void }
          for (const [channel, args] of all) fromMain?.(channel, args)
        }, messages)
        // The document that was to hear them is gone, as with Electron's own messages.
        .catch(() => {})
    }
    this.#isTelling = false
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request()
    if (!request.url().startsWith(`${ORIGIN}/`)) return route.abort()
    const id = ++this.#lastRequest
    const url = request.url().replace(ORIGIN, SCHEME)
    const isDocument = request.isNavigationRequest() && request.frame() === this.#page.mainFrame()
    const { promise, resolve } = Promise.withResolvers<AssetResponse | null>()
    this.#responses.set(id, resolve)
    this.give({ kind: 'request', id, url, method: request.method(), isDocument })
    const response = await promise
    if (response === null) return route.abort()
    await route.fulfill({ status: response.status, headers: response.headers, body: Buffer.from(response.body) })
  }
}

const attached = new WeakMap<Page, DrawnPage>()

/** The window that is drawn in this page. Null if the page belongs to the browser shell. */
export const drawnIn = (page: Page): DrawnPage | null => attached.get(page) ?? null

/** Runs in the page before its own scripts: gives the preload its part of Electron. */
function aroundPreload(preload: (require: (name: string) => unknown) => void): void {
  const page = globalThis as unknown as {
    readonly toMain: (channel: string, args: readonly unknown[]) => Promise<void>
    readonly policyBlocked: (what: string) => Promise<void>
  }
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    void page.policyBlocked(`${effectiveDirective}: ${blockedURI}`)
  })
  const listeners = new Map<string, (event: object, ...args: readonly unknown[]) => void>()
  Object.defineProperty(globalThis, 'fromMain', {
    value: (channel: string, args: readonly unknown[]) => listeners.get(channel)?.({}, ...args),
  })
  const electron = {
    // Only Electron knows the paths of dropped files, so a test sets them by file name.
    webUtils: {
      getPathForFile: (file: File) =>
        (globalThis as { readonly droppedPaths?: Readonly<Record<string, string>> }).droppedPaths?.[file.name] ?? '',
    },
    ipcRenderer: {
      on: (channel: string, listener: (event: object, ...args: readonly unknown[]) => void) => void listeners.set(channel, listener),
      send: (channel: string, ...args: readonly unknown[]) => void page.toMain(channel, args),
    },
    contextBridge: {
      exposeInMainWorld: (name: string, api: object) => void Object.defineProperty(globalThis, name, { value: Object.freeze({ ...api }) }),
    },
  }
  preload((name) => {
    if (name !== 'electron') throw new Error(`module not found: ${name}`)
    return electron
  })
}

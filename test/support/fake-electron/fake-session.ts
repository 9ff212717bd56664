import type { CustomScheme, Protocol, Session, WebContents } from 'electron'
import { Strict } from './strict.ts'

type PermissionRequest = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>
type PermissionCheck = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>
type DeviceCheck = NonNullable<Parameters<Session['setDevicePermissionHandler']>[0]>
type DisplayRequest = NonNullable<Parameters<Session['setDisplayMediaRequestHandler']>[0]>
type PageHandler = Parameters<Protocol['handle']>[1]
export type Permission = Parameters<PermissionRequest>[1]

class FakeSessionProtocol extends Strict implements Pick<Protocol, 'handle'> {
  readonly handlers = new Map<string, PageHandler>()

  handle(scheme: string, handler: PageHandler): void {
    if (this.handlers.has(scheme)) throw new Error(`The scheme ${scheme} is already handled`)
    this.handlers.set(scheme, handler)
  }
}

type BeforeRequest = (details: { readonly url: string }, callback: (response: { readonly cancel?: boolean }) => void) => void

class FakeWebRequest extends Strict {
  listener: BeforeRequest | null = null

  onBeforeRequest(listener: BeforeRequest): void {
    this.listener = listener
  }
}

type Known = Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler' | 'setDisplayMediaRequestHandler'
>

/** A session as Electron creates it. Without handlers it grants every permission and loads everything. */
export class FakeSession extends Strict implements Known {
  readonly protocol = new FakeSessionProtocol()
  readonly webRequest = new FakeWebRequest()
  #request: PermissionRequest | null = null
  #check: PermissionCheck | null = null
  #device: DeviceCheck | null = null
  #display: DisplayRequest | null = null

  setPermissionRequestHandler(handler: PermissionRequest | null): void {
    this.#request = handler
  }

  setPermissionCheckHandler(handler: PermissionCheck | null): void {
    this.#check = handler
  }

  setDevicePermissionHandler(handler: DeviceCheck | null): void {
    this.#device = handler
  }

  setDisplayMediaRequestHandler(handler: DisplayRequest | null): void {
    this.#display = handler
  }

  /** A page requests a permission, as with `navigator.permissions.request`. */
  asks(permission: Permission, requestingUrl: string, isMainFrame = true): Promise<boolean> {
    const handler = this.#request
    if (!handler) return Promise.resolve(true)
    return new Promise((resolve) => handler(null as unknown as WebContents, permission, resolve, { requestingUrl, isMainFrame }))
  }

  /** A page queries a permission with `navigator.permissions.query`. */
  checks(permission: Permission, origin: string): boolean {
    return this.#check ? this.#check(null, permission, origin, { isMainFrame: true, requestingUrl: origin }) : true
  }

  grantsDevice(details: Parameters<DeviceCheck>[0]): boolean {
    return this.#device ? this.#device(details) : true
  }

  /** Resolves with whether a page that requests the screen gets it. */
  sharesScreen(): Promise<boolean> {
    const handler = this.#display
    if (!handler) return Promise.resolve(false)
    const request = {} as Parameters<DisplayRequest>[0]
    return new Promise((resolve) => handler(request, (streams) => resolve(streams?.video !== undefined || streams?.audio !== undefined)))
  }

  /** A page's request, in Chromium's order: first the web request listener, then the handler of the scheme. */
  async load(url: string, method = 'GET'): Promise<Response | 'cancelled' | 'unknown scheme'> {
    const listener = this.webRequest.listener
    const cancelled = listener && (await new Promise<boolean>((resolve) => listener({ url }, ({ cancel }) => resolve(cancel ?? false))))
    if (cancelled) return 'cancelled'
    const handler = this.protocol.handlers.get(url.slice(0, url.indexOf(':')))
    if (!handler) return 'unknown scheme'
    // Chromium would resolve dots in the URL. The handler gets the worst case: a URL that a page managed to send unresolved.
    const request = { url, method } as Parameters<PageHandler>[0]
    return handler(request)
  }
}

/** Electron's `protocol` before the app is ready. */
export class FakeProtocol extends Strict implements Pick<Protocol, 'registerSchemesAsPrivileged'> {
  schemes: readonly CustomScheme[] = []
  readonly #isReady: () => boolean

  constructor(isReady: () => boolean) {
    super()
    this.#isReady = isReady
  }

  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    if (this.#isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    this.schemes = schemes
  }
}

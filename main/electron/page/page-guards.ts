import type { Event, WebContents, Session } from 'electron'
import { isOurPage } from './page-origin.ts'

/**
 * Prevents a page from leaving its origin, opening windows or embedding other pages. A link that would open a window is passed to
 * `openLink`, which asks the user.
 */
export function guardContents(contents: WebContents, openLink: (url: string) => void): void {
  const stay = (details: Event<{ readonly url: string; readonly isMainFrame: boolean }>): void => {
    if (!details.isMainFrame || !isOurPage(details.url)) details.preventDefault()
  }
  contents.on('will-navigate', stay)
  contents.on('will-redirect', stay)
  contents.on('will-frame-navigate', stay)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url)
    return { action: 'deny' }
  })
}

/** The only permission that Countersign's page gets: to copy text to the clipboard after a click. */
const ALLOWED = 'clipboard-sanitized-write'

/**
 * Denies what Electron would grant a session without asking: devices, screen capture, and all permissions except `ALLOWED`. In addition to
 * the content security policy, also blocks every request for an address that `mayLoad` rejects.
 */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(permission === ALLOWED && details.isMainFrame && isOurPage(details.requestingUrl))
  })
  session.setPermissionCheckHandler((_contents, permission, origin) => permission === ALLOWED && isOurPage(origin))
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_request, callback) => callback(null))
  session.webRequest.onBeforeRequest(({ url }, callback) => callback({ cancel: !mayLoad(url) }))
}

/** `devtools:` is the debugger when running from source. A packaged app has none. */
const mayLoad = (url: string): boolean => isOurPage(url) || /^(?:data|devtools):/i.test(url)

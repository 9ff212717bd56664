import type { Session } from 'electron'
import { isOurPage } from './page-origin.ts'

/** The one thing that our page may do beyond a plain page: put text on the clipboard after a click. */
const ALLOWED = 'clipboard-sanitized-write'

/**
 * Denies a session what Electron would grant unasked: every permission, device and screen (security 1, row 5), and, beneath the content
 * security policy, every request that is not for our own page.
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

/** `devtools:` is the debugger of a build from source; a packaged app has none. */
const mayLoad = (url: string): boolean => isOurPage(url) || /^(?:data|devtools):/i.test(url)

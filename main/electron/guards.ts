import type { Event, WebContents } from 'electron'
import { isOurPage } from './page-origin.ts'

/**
 * Keeps a page where it is (security 1, rows 12 to 14): it goes to our own origin or nowhere, opens no window, and holds no foreign page.
 * A link that wanted a window is given to `openLink`, which asks the person.
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

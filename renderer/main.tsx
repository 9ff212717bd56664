import './zod-without-eval.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { Desk } from './state/desk.ts'
import type { BrowserStorage } from './state/stores/browser-storage.ts'
import { followNotifications } from './state/stores/notifications.ts'
import { showAsked, startDesk } from './state/commands/start-desk.ts'
import { announceFront } from './state/stores/window-locks.ts'
import './styles/global.css'
import { keepSessionInAddress, onAskedToShow } from './wire/url-hash-requests.ts'
import { connectApp } from './wire/connect-app.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

const storages = { own: storage(() => sessionStorage), shared: storage(() => localStorage) }
const desk = new Desk(connectApp, storages, window.countersign?.pathOf)
startDesk(desk)
announceFront()
followNotifications(desk)
// In the desktop app, the part after the # says what to show. In the browser, it is a sign-in token.
if (window.countersign) {
  onAskedToShow((asked) => void showAsked(desk, asked))
  keepSessionInAddress(desk.view)
}
// Pasting a new address into the same tab changes only the part after the #, so the browser does not load the page again.
addEventListener('hashchange', () => desk.connection.retry())
addEventListener('pagehide', () => desk.flush())
createRoot(root).render(
  <StrictMode>
    <App desk={desk} />
  </StrictMode>,
)

/** Returns the storage. Null if the browser forbids storage, in which case accessing it throws. */
function storage(of: () => Storage): BrowserStorage | null {
  try {
    return of()
  } catch {
    return null
  }
}

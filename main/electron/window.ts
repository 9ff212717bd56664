import { BrowserWindow, type Session, type WebPreferences, screen } from 'electron'
import { windowBackground } from './native-theme.ts'
import { PAGE_URL } from './page/page-origin.ts'

/** Every security setting is stated although most are defaults, because a default can change. */
function webPreferences(preload: string, session: Session, devTools: boolean): WebPreferences {
  return {
    preload,
    session,
    devTools,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    contextIsolation: true,
    sandbox: true,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    // Only macOS has a spell checker of its own. On other systems, Chromium would download dictionaries.
    spellcheck: process.platform === 'darwin',
  }
}

export interface WindowParts {
  /** No other open window has this name. */
  readonly name: string
  readonly preload: string
  readonly session: Session
  readonly devTools: boolean
  /** What the page shows first, as the fragment of its URL. Empty if nothing was requested. */
  readonly fragment: string
  /** The window is visible by then. */
  readonly onLoadFailed: (error: unknown) => void
}

const WIDTH = 1440
const HEIGHT = 900

/** A window whose page is not drawn after this time (ms) is shown as it is. */
const SHOWN_MS = 5_000

/**
 * Opens a window with Countersign's page. The window becomes visible when the page has been drawn, when it could not be loaded or crashes,
 * and after 5 s in any case, because an invisible window could be neither seen nor closed.
 */
export function openWindow({ name, preload, session, devTools, fragment, onLoadFailed }: WindowParts): BrowserWindow {
  const { width, height } = screen.getPrimaryDisplay().workAreaSize
  const window = new BrowserWindow({
    // Electron keeps the size and place of the window under this name. The size here is that of a window that was never open before.
    name,
    windowStatePersistence: true,
    width: Math.min(WIDTH, width),
    height: Math.min(HEIGHT, height),
    minWidth: 640,
    minHeight: 480,
    show: false,
    title: 'Countersign',
    backgroundColor: windowBackground(),
    autoHideMenuBar: true,
    webPreferences: webPreferences(preload, session, devTools),
  })
  const show = (): void => {
    clearTimeout(late)
    if (!window.isDestroyed() && !window.isVisible()) window.show()
  }
  const late = setTimeout(show, SHOWN_MS)
  late.unref()
  window.once('ready-to-show', show)
  window.webContents.once('did-fail-load', show)
  window.webContents.once('render-process-gone', show)
  loadPage(window, fragment).catch((error: unknown) => {
    show()
    onLoadFailed(error)
  })
  return window
}

/** Loads the page. No other address is ever loaded. If a load is replaced by another one, that is not a failure. */
export async function loadPage(window: BrowserWindow, fragment: string): Promise<void> {
  try {
    await window.loadURL(`${PAGE_URL}${fragment}`)
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'ERR_ABORTED' && !window.isDestroyed()) throw error
  }
}

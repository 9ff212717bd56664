import { BrowserWindow, type Session, type WebPreferences } from 'electron'
import { PAGE_URL } from './page-origin.ts'

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
    // Off, because the spell checker would download dictionaries.
    spellcheck: false,
  }
}

export interface WindowParts {
  readonly preload: string
  readonly session: Session
  readonly devTools: boolean
  /** What the page shows first, as the fragment of its URL. Empty if nothing was requested. */
  readonly fragment: string
}

/** Opens a window with Countersign's page. The window becomes visible when the page has been drawn. */
export function openWindow({ preload, session, devTools, fragment }: WindowParts): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 640,
    minHeight: 480,
    show: false,
    title: 'Countersign',
    autoHideMenuBar: true,
    webPreferences: webPreferences(preload, session, devTools),
  })
  window.once('ready-to-show', () => window.show())
  void loadPage(window, fragment)
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

import { BrowserWindow, type Session, type WebPreferences } from 'electron'
import { PAGE_URL } from './page-origin.ts'

/** Security 1, rows 2 to 4, 6 and 8 to 11, each stated although most are defaults: a default can change. */
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
    // Its dictionaries would be loaded from the network.
    spellcheck: false,
  }
}

export interface WindowParts {
  readonly preload: string
  readonly session: Session
  readonly devTools: boolean
  /** What the page is to show first, as the part of the address behind `#`; else empty. */
  readonly fragment: string
}

/** Opens a window on our page and nothing else. It shows itself when there is something to see. */
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

/** The only address that is ever loaded (row 1). A load that another one overtakes is no failure. */
export async function loadPage(window: BrowserWindow, fragment: string): Promise<void> {
  try {
    await window.loadURL(`${PAGE_URL}${fragment}`)
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'ERR_ABORTED' && !window.isDestroyed()) throw error
  }
}

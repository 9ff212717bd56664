import { type BrowserWindow, dialog } from 'electron'

/** A page that falls this often within this time (ms) is not brought back unasked: it would fall for ever. */
const FALLS_AT_MOST = 3
const WITHIN_MS = 60_000

export interface CareParts {
  readonly onFall: (why: string) => void
  readonly now?: () => number
}

/**
 * Brings a window's page back when its process falls, and offers to when it hangs (fault 56). Main and its turns go on meanwhile; the page
 * builds itself anew from main.
 */
export function careFor(window: BrowserWindow, { onFall, now = Date.now }: CareParts): void {
  let falls: readonly number[] = []
  let asking = false

  const ask = async (message: string, detail: string, doIt: string, leave: string): Promise<boolean> => {
    asking = true
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message,
      detail,
      buttons: [doIt, leave],
      defaultId: 0,
      cancelId: 1,
    })
    asking = false
    return response === 0 && !window.isDestroyed()
  }

  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    onFall(`the window's process has gone: ${reason} (${exitCode})`)
    falls = [...falls.filter((at) => at > now() - WITHIN_MS), now()]
    if (falls.length <= FALLS_AT_MOST) return window.webContents.reload()
    void ask('The window keeps falling over.', 'Your sessions are safe: they run on outside it.', 'Show it again', 'Close it').then(
      (again) => {
        if (again) window.webContents.reload()
        else if (!window.isDestroyed()) window.destroy()
      },
    )
  })
  window.on('unresponsive', () => {
    if (asking) return
    void ask('The window does not respond.', 'Your sessions are safe: they run on outside it.', 'Reload it', 'Wait').then((reload) => {
      if (reload) window.webContents.forcefullyCrashRenderer()
    })
  })
}

import type { BrowserWindow } from 'electron'
import { showQuestion } from '../quit-question.ts'

/**
 * A page that crashes more than `MAX_CRASHES` times within `WITHIN_MS` ms is reloaded only if the user agrees, because it might crash
 * forever.
 */
const MAX_CRASHES = 3
const WITHIN_MS = 60_000

export interface CareParts {
  readonly onCrash: (why: string) => void
  readonly now?: () => number
}

/**
 * Reloads a window's page when its process crashes, and offers to reload when the page hangs. In the meantime, the main process and
 * running turns continue. The new page gets its state from the main process.
 */
export function recoverFromCrashes(window: BrowserWindow, { onCrash, now = Date.now }: CareParts): void {
  let crashes: readonly number[] = []
  let asking = false

  const ask = async (message: string, detail: string, doIt: string, leave: string): Promise<boolean> => {
    asking = true
    const { response } = await showQuestion({ type: 'warning', message, detail, buttons: [doIt, leave], defaultId: 0, cancelId: 1 }, window)
    asking = false
    return response === 0 && !window.isDestroyed()
  }

  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    onCrash(`the window's process has gone: ${reason} (${exitCode})`)
    crashes = [...crashes.filter((at) => at > now() - WITHIN_MS), now()]
    if (crashes.length <= MAX_CRASHES) return window.webContents.reload()
    void ask('The window keeps crashing.', 'Your sessions are safe: they run outside the window.', 'Reload', 'Close').then((again) => {
      if (again) window.webContents.reload()
      else if (!window.isDestroyed()) window.destroy()
    })
  })
  window.on('unresponsive', () => {
    if (asking) return
    void ask('The window does not respond.', 'Your sessions are safe: they run outside the window.', 'Reload', 'Wait').then((reload) => {
      if (reload) window.webContents.forcefullyCrashRenderer()
    })
  })
}

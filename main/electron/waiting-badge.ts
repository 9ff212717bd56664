import { BrowserWindow, app } from 'electron'
import type { Disposable } from '../../shared/lib/disposable.ts'

/** Calls the listener with the number of sessions that wait for the user, at once and after each change. */
export type FollowNeeds = (listener: (count: number) => void) => Disposable

export interface BadgeParts {
  readonly follow: FollowNeeds
  readonly windows: () => Iterable<BrowserWindow>
  /** Whether the user wants notifications. The number is shown even if not. */
  readonly isLoud: () => boolean
  readonly platform: string
}

/**
 * Shows the number of sessions that wait for the user in the Dock or task bar. Draws attention if the number grows while no window has the
 * focus. Call it once, when the app is ready.
 */
export function showWaiting({ follow, windows, isLoud, platform }: BadgeParts): Disposable {
  let shown = 0
  return follow((count) => {
    const isMore = count > shown
    shown = count
    app.setBadgeCount(count)
    for (const window of windows()) markTaskBar(window, count, platform)
    if (count === 0) for (const window of windows()) window.flashFrame(false)
    if (!isMore || !isLoud() || BrowserWindow.getFocusedWindow() !== null) return
    app.dock?.bounce('informational')
    for (const window of windows()) flashUntilFocus(window)
  })
}

/** Windows has no badges, so the button in the task bar turns yellow. */
function markTaskBar(window: BrowserWindow, count: number, platform: string): void {
  if (platform !== 'win32') return
  if (count > 0) window.setProgressBar(1, { mode: 'paused' })
  else window.setProgressBar(-1)
}

function flashUntilFocus(window: BrowserWindow): void {
  window.flashFrame(true)
  window.once('focus', () => window.flashFrame(false))
}

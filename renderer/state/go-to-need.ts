import { nextThatNeedsMe, showSession } from './actions.ts'
import type { Desk } from './desk.ts'
import { goToTerminal } from './go-to-terminal.ts'

/** How long the tray of a session that was not open yet may take to appear (ms); later it may not take the focus any more. */
const PATIENCE_MS = 3_000

/**
 * Shows the session that needs its person and puts the focus where the answer begins: `data-answer` inside the tray (look §7). Where the
 * focus was is remembered, and answering returns it.
 */
export function goToNeed(desk: Desk): void {
  const sessionId = nextThatNeedsMe(desk)
  if (!sessionId) return
  desk.returnPoint.mark()
  const { sessionId: shown, page } = desk.view.getState()
  if (shown !== sessionId || page !== 'desk') showSession(desk, sessionId)
  if (focusTray(sessionId)) return
  // it has no tray: a command of it still runs
  const left = document.querySelector<HTMLElement>('[data-left-running] button')
  if (left && desk.left.getState().offered.some((one) => one.sessionId === sessionId)) return left.focus({ preventScroll: true })
  // it has no tray: a command of it waits for input
  if (desk.standing.getState().waiting.has(sessionId)) return goToTerminal(desk)
  const observer = new MutationObserver(() => {
    if (focusTray(sessionId)) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), PATIENCE_MS)
}

/** Puts the focus into the tray on screen, if it is that of this session. */
export function focusTray(sessionId: string): boolean {
  const tray = document.querySelector<HTMLElement>(`[data-tray-of="${CSS.escape(sessionId)}"] [data-tray]`)
  if (!tray) return false
  ;(tray.querySelector<HTMLElement>('[data-answer]') ?? tray).focus({ preventScroll: true })
  return true
}

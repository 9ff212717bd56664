import { flushSync } from 'react-dom'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import { nextThatNeedsMe, showSession } from './actions.ts'
import type { Desk } from '../desk.ts'
import { focusWhenThere } from './focus-when-there.ts'
import { goToTerminal } from './go-to-terminal.ts'
import { sessionsInNeed } from '../views/session-needs.ts'

/** How long to wait for the tray of a session that was not open, in ms. After this time the tray must not grab the focus. */
const TIMEOUT_MS = 10_000

/** A place that needs the user: a session and one request in its tray. A null `request` means the first request in the tray. */
interface Stop {
  readonly sessionId: SessionId
  readonly request: string | null
}

/**
 * Shows what needs the user and focuses it. Another press goes to the next request in the same tray or in another session, and from the
 * last request to the first. After the answer, the focus returns to the place where it was.
 */
export function goToNeed(desk: Desk): void {
  const stop = nextStop(desk)
  if (!stop) return
  const { sessionId, request } = stop
  const session = desk.list.getState().sessions.get(sessionId)
  const isQuestion = session?.need === null && session.asks && !trayOf(sessionId)
  desk.returnPlace.mark(sessionId)
  const { sessionId: shown, page } = desk.view.getState()
  flushSync(() => {
    const isThere = shown === sessionId && (page === 'desk' || isInReview(sessionId, request))
    if (!isThere) showSession(desk, sessionId)
    desk.view.setState({ request })
  })
  if (isQuestion) return focusWhenThere(`[data-composer-of="${CSS.escape(sessionId)}"]`)
  if (focusTray(sessionId)) return keepInTray(sessionId)
  // If a command of the session was left running, the notice about it replaces the tray.
  const left = document.querySelector<HTMLElement>('[data-left-running] button')
  if (left && desk.left.getState().offered.some((one) => one.sessionId === sessionId)) return left.focus({ preventScroll: true })
  // A command that waits for input has no tray, so its terminal gets the focus.
  if (desk.commandTerminals.getState().waiting.has(sessionId)) return goToTerminal(desk)
  keepInTray(sessionId)
}

/** Shows another request in the tray. If the focus was in the tray, it remains there. */
export function showRequest(desk: Desk, sessionId: SessionId, request: string | null): void {
  changeTray(sessionId, () => desk.view.setState({ request }))
}

/** Changes what the tray shows. If the focus was in the tray, it remains there. */
export function changeTray(sessionId: SessionId, change: () => void): void {
  const had = trayOf(sessionId)?.contains(document.activeElement) ?? false
  flushSync(change)
  if (had && focusTray(sessionId)) keepInTray(sessionId)
}

/** Returns the next place that needs the user. Null if nothing needs the user. */
function nextStop(desk: Desk): Stop | null {
  const { sessionId, ...known } = desk.view.getState()
  // The tray on screen is used, because the list may not be updated yet.
  const tray = sessionId === null ? null : trayOf(sessionId)
  const isInTray = tray?.contains(document.activeElement) ?? false
  if (sessionId !== null && tray && !isInTray) return { sessionId, request: shownIn(tray) || null }
  const needing = sessionsInNeed(desk.list.getState().sessions.values(), known).map((one) => one.sessionId)
  if (sessionId !== null && tray) {
    const asker = askerOf(tray) ?? sessionId
    const requests = requestsOf(desk, asker)
    const after = requests[requests.indexOf(shownIn(tray)) + 1]
    if (after !== undefined) return { sessionId, request: after }
    const next = following(needing, needing.includes(asker) ? asker : sessionId)
    return { sessionId: next === null || next === asker ? sessionId : next, request: null }
  }
  const isAt = sessionId !== null && needing.includes(sessionId) && isAtWork()
  const next = isAt ? following(needing, sessionId) : nextThatNeedsMe(desk)
  return next === null ? null : { sessionId: next, request: null }
}

/** The session after `one`, wrapping around. Null if there is no other session. */
function following(all: readonly SessionId[], one: SessionId): SessionId | null {
  const next = all[(all.indexOf(one) + 1) % all.length]
  return next === one ? null : (next ?? null)
}

function requestsOf(desk: Desk, asker: SessionId): readonly string[] {
  const { session } = desk.session(asker).store.getState()
  return session ? pendingCalls(session).map(({ id }) => id) : []
}

/** Whether the focus is already in a terminal or in the notice about commands that kept running. */
function isAtWork(): boolean {
  return document.activeElement?.closest('.xterm, [data-left-running]') !== null
}

/**
 * Returns the tray of this session if it is visible and its request can be answered. Null otherwise, such as for a request that was just
 * signed.
 */
function trayOf(sessionId: SessionId): HTMLElement | null {
  return document.querySelector(`[data-tray-of="${CSS.escape(sessionId)}"] :is([data-tray=needs], [data-tray=error])`)
}

/** Whether the review shows this request in a tray of its own. */
function isInReview(sessionId: SessionId, request: string | null): boolean {
  const tray = trayOf(sessionId)
  return tray !== null && request === shownIn(tray)
}

const askerOf = (tray: HTMLElement): SessionId | null =>
  (tray.closest<HTMLElement>('[data-tray-of]')?.dataset['asker'] as SessionId | undefined) ?? null

const shownIn = (tray: HTMLElement): string => tray.closest<HTMLElement>('[data-tray-of]')?.dataset['request'] ?? ''

/** Focuses the visible tray, if it belongs to this session. */
function focusTray(sessionId: SessionId): boolean {
  const tray = trayOf(sessionId)
  tray?.focus({ preventScroll: true })
  return tray !== null
}

let stopKeeping: () => void = () => {}

/** Focuses the tray as soon as it exists, and again if it is remounted while it loads. Stops when the user types or clicks. */
function keepInTray(sessionId: SessionId): void {
  stopKeeping()
  const until = performance.now() + TIMEOUT_MS
  const over = new AbortController()
  stopKeeping = () => over.abort()
  addEventListener(
    'keydown',
    (event) => {
      // Keys with Ctrl or Cmd do not cancel this, because they sign or refuse in the tray.
      if (!event.ctrlKey && !event.metaKey && event.key !== 'Control' && event.key !== 'Meta') over.abort()
    },
    { capture: true, signal: over.signal },
  )
  addEventListener('pointerdown', () => over.abort(), { capture: true, signal: over.signal })
  let held = 0
  const look = (): void => {
    if (over.signal.aborted) return
    const isIn = trayOf(sessionId)?.contains(document.activeElement) ?? false
    held = isIn ? held + 1 : 0
    if (!isIn) focusTray(sessionId)
    if (held < HELD_FRAMES && performance.now() < until) requestAnimationFrame(look)
    else over.abort()
  }
  requestAnimationFrame(look)
}

/** Number of frames for which the focus must remain in the tray. A new tray is remounted at most once, when its texts are loaded. */
const HELD_FRAMES = 10

import { flushSync } from 'react-dom'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import { nextThatNeedsMe, showSession } from './actions.ts'
import type { Desk } from '../desk.ts'
import { focusWhenThere } from './focus-when-there.ts'
import { goToTerminal } from './go-to-terminal.ts'
import { sessionsInNeed } from '../views/needs.ts'

/** How long the tray of a session that was not open yet may take to appear (ms); later it may not take the focus any more. */
const PATIENCE_MS = 10_000

/** A place where the person is needed: a session, and in its tray one of several requests; null for the first. */
interface Stop {
  readonly sessionId: SessionId
  readonly request: string | null
}

/**
 * Shows what needs the person and puts the focus where the answer begins; pressed again, goes to what comes after it, in the same tray or in
 * another session, and after the last to the first. Where the person was is remembered, and answering returns them there.
 */
export function goToNeed(desk: Desk): void {
  const stop = nextStop(desk)
  if (!stop) return
  const { sessionId, request } = stop
  const session = desk.list.getState().sessions.get(sessionId)
  const isQuestion = session?.need === null && session.asks && !trayOf(sessionId)
  desk.wayBack.mark(sessionId)
  const { sessionId: shown, page } = desk.view.getState()
  flushSync(() => {
    if (shown !== sessionId || page !== 'desk') showSession(desk, sessionId)
    desk.view.setState({ request })
  })
  if (isQuestion) return focusWhenThere(`[data-composer-of="${CSS.escape(sessionId)}"]`)
  if (focusTray(sessionId)) return keepInTray(sessionId)
  // it has no tray: a command of it still runs
  const left = document.querySelector<HTMLElement>('[data-left-running] button')
  if (left && desk.left.getState().offered.some((one) => one.sessionId === sessionId)) return left.focus({ preventScroll: true })
  // it has no tray: a command of it waits for input
  if (desk.standing.getState().waiting.has(sessionId)) return goToTerminal(desk)
  keepInTray(sessionId)
}

/** Shows another request of the tray on screen; a focus that was in the tray stays in it. */
export function showRequest(desk: Desk, sessionId: SessionId, request: string | null): void {
  const had = trayOf(sessionId)?.contains(document.activeElement) ?? false
  flushSync(() => desk.view.setState({ request }))
  if (had && focusTray(sessionId)) keepInTray(sessionId)
}

/** Null: nothing needs the person. */
function nextStop(desk: Desk): Stop | null {
  const { sessionId, page, ...known } = desk.view.getState()
  // what stands on screen counts, also where the list has not been told of it yet
  const tray = sessionId !== null && page === 'desk' ? trayOf(sessionId) : null
  const isInTray = tray?.contains(document.activeElement) ?? false
  if (sessionId !== null && tray && !isInTray) return { sessionId, request: desk.view.getState().request }
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

/** The one after this, after the last the first; null: there is no other. */
function following(all: readonly SessionId[], one: SessionId): SessionId | null {
  const next = all[(all.indexOf(one) + 1) % all.length]
  return next === one ? null : (next ?? null)
}

function requestsOf(desk: Desk, asker: SessionId): readonly string[] {
  const { session } = desk.session(asker).store.getState()
  return session ? pendingCalls(session).map(({ id }) => id) : []
}

/** The focus is already on what a session without a tray needs: its terminal, or the notice of a command that still runs. */
function isAtWork(): boolean {
  return document.activeElement?.closest('.xterm, [data-left-running]') !== null
}

/** The tray of this session on screen that can be answered; one that was just signed cannot. */
function trayOf(sessionId: SessionId): HTMLElement | null {
  return document.querySelector(`[data-tray-of="${CSS.escape(sessionId)}"] :is([data-tray=needs], [data-tray=error])`)
}

const askerOf = (tray: HTMLElement): SessionId | null =>
  (tray.closest<HTMLElement>('[data-tray-of]')?.dataset['asker'] as SessionId | undefined) ?? null

const shownIn = (tray: HTMLElement): string => tray.closest<HTMLElement>('[data-tray-of]')?.dataset['request'] ?? ''

/** Puts the focus into the tray on screen, if it is that of this session. */
function focusTray(sessionId: SessionId): boolean {
  const tray = trayOf(sessionId)
  tray?.focus({ preventScroll: true })
  return tray !== null
}

let stopKeeping: () => void = () => {}

/**
 * Puts the focus into the tray as soon as it is there, and sees that it stays while the tray settles: a tray that is drawn anew, or the page
 * that comes with it, would take it away. Ends when the person types, navigates or presses something.
 */
function keepInTray(sessionId: SessionId): void {
  stopKeeping()
  const until = performance.now() + PATIENCE_MS
  const over = new AbortController()
  stopKeeping = () => over.abort()
  addEventListener(
    'keydown',
    (event) => {
      // what signs or refuses is meant for the tray that comes
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

/** Frames for which the focus must have stayed: a tray that has come is drawn anew at most once, when its texts have arrived. */
const HELD_FRAMES = 10
